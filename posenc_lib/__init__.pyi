"""The public names and where each one lives: read by type checkers, and by __init__.py at run time."""

from posenc_lib.additive.functions import linear_positions as linear_positions
from posenc_lib.additive.functions import shift_matrix as shift_matrix
from posenc_lib.additive.functions import sinusoidal as sinusoidal
from posenc_lib.additive.functions import sinusoidal_of as sinusoidal_of
from posenc_lib.additive.modules import LearnedEncoding as LearnedEncoding
from posenc_lib.additive.modules import LinearEncoding as LinearEncoding
from posenc_lib.additive.modules import SinusoidalEncoding as SinusoidalEncoding
from posenc_lib.angles.frequencies import inv_freq as inv_freq
from posenc_lib.angles.frequencies import midpoint_inv_freq as midpoint_inv_freq
from posenc_lib.angles.frequencies import sample_inv_freq as sample_inv_freq
from posenc_lib.angles.layout import permute_layout as permute_layout
from posenc_lib.angles.layout import permute_qk_weight as permute_qk_weight
from posenc_lib.angles.layout import rotate_half as rotate_half
from posenc_lib.angles.tables import cos_sin as cos_sin
from posenc_lib.angles.tables import rotation_matrix as rotation_matrix
from posenc_lib.angles.trainable import TrainableFrequencies as TrainableFrequencies
from posenc_lib.attend.cache import KVCache as KVCache
from posenc_lib.attend.dual.chunks import dual_chunk_attention as dual_chunk_attention
from posenc_lib.attend.dual.places import DualChunkPositions as DualChunkPositions
from posenc_lib.attend.dual.places import dual_chunk_positions as dual_chunk_positions
from posenc_lib.attend.linear import LinearState as LinearState
from posenc_lib.attend.linear import linear_attention as linear_attention
from posenc_lib.attend.multihead import MultiHeadAttention as MultiHeadAttention
from posenc_lib.attend.softmax import attention as attention
from posenc_lib.bias import *
from posenc_lib.positions.axes import positions_grid as positions_grid
from posenc_lib.positions.axes import positions_mrope as positions_mrope
from posenc_lib.positions.sequence import positions_context_parallel as positions_context_parallel
from posenc_lib.positions.sequence import positions_from_cu_seqlens as positions_from_cu_seqlens
from posenc_lib.positions.sequence import positions_from_mask as positions_from_mask
from posenc_lib.positions.sequence import positions_range as positions_range
from posenc_lib.relative.content import disentangled_scores as disentangled_scores
from posenc_lib.relative.content import rel_shift as rel_shift
from posenc_lib.relative.content import transformer_xl_scores as transformer_xl_scores
from posenc_lib.relative.module import RelativeAttention as RelativeAttention
from posenc_lib.relative.shaw import relative_positions as relative_positions
from posenc_lib.relative.shaw import shaw_scores as shaw_scores
from posenc_lib.rotary.apply import apply_rotary as apply_rotary
from posenc_lib.rotary.apply import apply_rotary_qk as apply_rotary_qk
from posenc_lib.rotary.apply import rerotate as rerotate
from posenc_lib.rotary.axes import axial_frequencies as axial_frequencies
from posenc_lib.rotary.axes import axis_frequencies as axis_frequencies
from posenc_lib.rotary.axes import mixed_frequencies as mixed_frequencies
from posenc_lib.rotary.axes import section_axes as section_axes
from posenc_lib.rotary.axes_tables import cos_sin_axes as cos_sin_axes
from posenc_lib.rotary.drop_in import apply_rotary_pos_emb as apply_rotary_pos_emb
from posenc_lib.rotary.module import RotaryEmbedding as RotaryEmbedding
from posenc_lib.rotary.scaling.rules import SCALINGS as SCALINGS
from posenc_lib.rotary.spec import RotarySpec as RotarySpec
from posenc_lib.rotary.temperature import attention_temperature as attention_temperature
from posenc_lib.rotary.xpos import cos_sin_xpos as cos_sin_xpos

__version__: str
