"""Which layers of a model turn queries and keys: seen in its own code, run without numbers.

A model on the meta device has shapes alone, so its size does not matter. Its rotation is replaced by one
that notes which layer called it.
"""

import copy
import importlib
import inspect
import re
import sys

import torch
from torch import nn
from transformers import MODEL_MAPPING, AutoModel, PreTrainedModel

# It would ask for the values of a tensor, and torch.compile turns it off behind other tests' backs.
torch.distributions.Distribution.set_default_validate_args(False)

MOST = 12  # layers are enough to see any pattern that a config lays out
SEQ = 4


def fewer_layers(config, most=MOST):
    """The same config, with at most so many layers."""
    whole = config.to_dict()
    number = whole.get("num_hidden_layers")
    if not isinstance(number, int) or number <= most:
        return copy.deepcopy(config)
    skip = ("model_type", "transformers_version")
    short = {
        key: value[:most] if isinstance(value, list) and len(value) == number else value
        for key, value in whole.items()
        if key not in skip
    } | {"num_hidden_layers": most}
    if "num_layers_per_stack" in short:  # of a model that passes through its layers several times
        short["num_layers_per_stack"] = most
    try:
        return type(config)(**short)
    except Exception:  # it says something of a later layer
        return copy.deepcopy(config)


def turning(config):
    """The indices of the layers that turn."""
    config = copy.deepcopy(config)
    config._attn_implementation = "eager"
    if config.to_dict().get("num_key_value_heads", 1) is None:
        config.num_key_value_heads = config.num_attention_heads
    with torch.device("meta"):
        model = _model(config)
    seen = set()
    places = {
        id(layer): index
        for stack in model.modules()
        if isinstance(stack, nn.ModuleList) and len(stack) == getattr(config, "num_hidden_layers", None)
        for index, layer in enumerate(stack)
    }

    def spy(function):
        def noted(*args, **kwargs):
            seen.add(_layer(sys._getframe(1), places))
            return function(*args, **kwargs)

        return noted

    run(model, config, spy)
    return seen


def run(model, config, spy=lambda function: function):
    """One forward pass; its functions that turn are those that ``spy`` makes of them."""
    code = sys.modules[type(model).__module__]
    own = {name: value for name, value in vars(code).items() if inspect.isfunction(value)}
    changed = {name: spy(value) for name, value in own.items() if name.startswith("apply_rotary")}
    if not changed:
        raise NotImplementedError("no function that turns")
    masks = {name: _no_mask for name in own if re.fullmatch(r"create_\w*mask\w*", name)}
    masks |= {name: _nothing for name in masks if re.search("recurrent|linear|ssm|mamba|conv", name)}
    try:
        vars(code).update(changed | masks)
        for module in model.modules():
            for name in vars(module).keys() & changed.keys():  # kernels may stand in the layer
                setattr(module, name, changed[name])
            if "Experts" in type(module).__name__:
                module.forward = lambda hidden, *_, **__: hidden
        model(**_inputs(model, config))
    finally:
        vars(code).update(own)


def _model(config):
    if type(config) in MODEL_MAPPING:  # to say that it is not, AutoModel loads all models for their names
        try:
            return AutoModel.from_config(config, attn_implementation="eager")
        except ValueError as error:
            if not re.search("Unrecognized|Could not find", str(error)):
                raise
    code = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    classes = [
        value
        for name, value in vars(code).items()
        if inspect.isclass(value)
        and issubclass(value, PreTrainedModel)
        and value.__module__ == code.__name__
        and value.config_class is type(config)
        and "PreTrained" not in name
    ]
    return min((one(config) for one in classes), key=lambda model: len(list(model.modules())))


def _inputs(model, config):
    takes = inspect.signature(model.forward).parameters
    width = next(getattr(config, k) for k in ("hidden_size", "n_embd", "d_model") if hasattr(config, k))
    given = {}
    if "input_ids" in takes:
        given["input_ids"] = torch.zeros(1, SEQ, dtype=torch.long, device="meta")
    elif "inputs_embeds" in takes:
        given["inputs_embeds"] = torch.zeros(1, SEQ, width, device="meta")
    if "use_cache" in takes:
        given["use_cache"] = False
    return given


def _nothing(*_, **__):
    return None


def _no_mask(*_, **__):
    return torch.zeros(1, 1, SEQ, SEQ, device="meta")


def _layer(frame, places):
    """The index of the layer that calls: its place in a list of all layers, or what it says."""
    said, placed = None, None
    while frame is not None:
        module = frame.f_locals.get("self")
        if isinstance(module, nn.Module):
            said = getattr(module, "layer_idx", None) if said is None else said
            placed = places.get(id(module), placed)
        frame = frame.f_back
    return said if placed is None else placed
