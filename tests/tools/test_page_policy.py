"""The content security policy of every page, directive by directive: what each lets in, and nothing else."""

import base64
import hashlib

from tools.page_head import SHOWN, policy

DIRECTIVES = {
    "default-src": ["'self'"],  # whatever is not named below comes from the site itself
    "style-src": ["'self'", "'unsafe-inline'"],  # formulas and figures carry their own
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],  # a page cannot say that its links lead elsewhere
    "form-action": ["'self'"],  # the search
}


def test_a_page_lets_in_what_is_named_here_and_nothing_else():
    said = {name: values for name, *values in map(str.split, policy(SHOWN).split(";"))}
    digest = base64.b64encode(hashlib.sha256(SHOWN.encode()).digest()).decode()
    assert said == DIRECTIVES | {"script-src": ["'self'", f"'sha256-{digest}'"]}
