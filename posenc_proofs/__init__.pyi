from .derivation.answers import Answer as Answer
from .derivation.answers import answers as answers
from .derivation.derivation import Derivation as Derivation
from .derivation.derivation import Refuted as Refuted
from .derivation.records import Result as Result
from .latex.tokens import Unread as Unread
from .search.proof import NotFound as NotFound
from .text.blocks import Misread as Misread
