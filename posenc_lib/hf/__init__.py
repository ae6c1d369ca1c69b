"""Hugging Face models: what each layer does with positions, and this library's rotation in a loaded one."""

from posenc_lib.hf.axial import Axial, axial
from posenc_lib.hf.layers import specs
from posenc_lib.hf.positions import Layer, layers
from posenc_lib.hf.slots import liger_rotary, rotary_layer, titan_rotary
from posenc_lib.hf.swap import InUse, use_in
from posenc_lib.hf.temperature import Temperature, temperatures

__all__ = [
    "Axial",
    "InUse",
    "Layer",
    "Temperature",
    "axial",
    "layers",
    "liger_rotary",
    "rotary_layer",
    "specs",
    "temperatures",
    "titan_rotary",
    "use_in",
]
