"""Whether use_in accepts a model of each type that is read, made without weights but with its frequencies."""

import copy
import re

import hf_rotations as rotations
import observed_layers
import torch
from config_cases import cases

from posenc_lib.hf import use_in

#: What a refusal says, and the words for it on the book's page.
WHY = {"has no rotary module for its text": "no rotary module", "no layer turns anything": "no layer turns"}

#: Types whose own code stops without numbers, or asks for more than tokens: with ours in it they are not run.
NOT_RUN = cases("sweep")["not run"]


def in_use(name, variant):
    """ "yes", "not made" where the code of the type makes no model of this config, or why it is refused."""
    config = observed_layers.fewer_layers(rotations.text_part(dict(rotations.configs(name))[variant]))
    try:
        model = made(config)
    except Exception:
        return "not made"
    before = ran(model, config)
    try:
        used = use_in(model, length=getattr(config, "max_position_embeddings", None))
    except ValueError as error:
        return next(words for message, words in WHY.items() if re.search(message, str(error)))
    after = ran(model, config)
    used.restore()
    if bool(before) != (name in NOT_RUN):
        return f"by itself it stops at {before or 'nothing'}"
    return "yes" if after == "" or before else f"its layers stop at {after}"


def ran(model, config):
    """Nothing, or where a forward pass without numbers stops."""
    try:
        observed_layers.run(model, config)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def made(config):
    """A model on the meta device, whose rotary modules are made again where numbers are."""
    config = copy.deepcopy(config)
    if config.to_dict().get("num_key_value_heads", 1) is None:
        config.num_key_value_heads = config.num_attention_heads
    with torch.device("meta"):
        model = observed_layers._model(config)
    for name, module in list(model.named_modules()):
        if "Rotary" in type(module).__name__ and hasattr(module, "config"):
            model.set_submodule(name, type(module)(module.config))
    return model


def asked(record):
    """Whether the question is one: towers are no models of texts, and what is not read is refused before."""
    return record["verdict"] == "equal" and record["layers"][0]["kind"] != "tower"
