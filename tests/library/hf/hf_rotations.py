"""The rotation of a Hugging Face model type as its own code computes it, against the spec of its config."""

import copy
import functools
import importlib.util
import inspect

import torch
import transformers
from torch import nn
from transformers import PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

from posenc_lib import RotaryEmbedding, RotarySpec, apply_rotary
from posenc_lib.hf import specs
from posenc_lib.hf.config.models import TEMPERATURES

# Near and far. Angles are float32 on both sides, so that far positions compare as well as near ones.
POSITIONS = torch.tensor([0, 1, 2, 3, 7, 64, 129, 1000, 1001, 4095])
# Scores of standard normal vectors of up to 512 channels are of size 20, and tables agree to a unit or two in
# the last place of float32 angles up to 4095: 5e-4 radians at most. Wrong ones are off by 5 and more.
RIGHT = 1e-2
# Rotations that stand inside an attention layer, without a module or a function of their own to call.
INSIDE = ("gptj", "codegen")


def text_part(config):
    part = getattr(config, "text_config", None)
    return part if isinstance(part, PreTrainedConfig) else config


def own_code(config):
    """The rotary modules that take this config, and the functions that apply their tables."""
    name = type(config).__module__.replace("configuration_", "modeling_")
    if importlib.util.find_spec(name) is None:  # a config alone, for a model of another name
        name = getattr(transformers, MODEL_MAPPING_NAMES[config.model_type]).__module__
    module = importlib.import_module(name)
    modules = [
        value
        for key, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, nn.Module)
        and "RotaryEmb" in key
        and "position_ids" in inspect.signature(value.forward).parameters
    ]
    mine = type(config).__name__
    own = [m for m in modules if mine == getattr(_annotation(m), "__name__", _annotation(m))]
    other = ("Vision", "Audio", "DiT")
    modules = own or [m for m in modules if not any(w in m.__name__ and w not in mine for w in other)]
    functions = [
        value
        for key, value in vars(module).items()
        if inspect.isfunction(value)
        and key.startswith("apply_rotary")
        and not any(word in key for word in ("vision", "2d"))
    ]
    paired = [f for f in functions if "interleave" in f.__name__]
    if paired:  # the attention layer takes this one, where it has both, unless the config says otherwise
        keep = getattr(config, "rope_interleave", True)
        functions = paired if keep else [f for f in functions if f not in paired]
    return modules, functions


def _annotation(module):
    return inspect.signature(module.__init__).parameters["config"].annotation


def their_scores(config, module, function, layer_type, q, k, position_ids):
    """Scores of q and k turned by the model's own tables and function."""
    rotary = module(copy.deepcopy(config))
    if rotary.state_dict().keys() - {"inv_freq"}:  # ESM stores what the config gives
        raise ValueError("its weights hold a part of its rotation")
    takes_type = "layer_type" in inspect.signature(rotary.forward).parameters
    tables = rotary(torch.zeros(1, 1, 1), position_ids, **({"layer_type": layer_type} if takes_type else {}))
    if not isinstance(tables, tuple):  # complex numbers
        if function.__module__.endswith("llama4"):  # [batch, seq, heads, width]
            turned = function(q.transpose(1, 2), k.transpose(1, 2), tables)
            return _scores(*(x.transpose(1, 2) for x in turned))
        return _scores(*function(q, k, tables))

    def turn(q, k):
        if next(iter(inspect.signature(function).parameters)) == "q":
            return function(q, k, *tables)
        return tuple(function(x, *tables) for x in (q, k))

    try:
        return _scores(*turn(q, k))
    except RuntimeError:  # the layer, not the function, lets the other channels pass
        width = tables[0].shape[-1]
        turned = turn(q[..., :width], k[..., :width])
        return _scores(*(torch.cat((t, x[..., width:]), -1) for t, x in zip(turned, (q, k), strict=True)))


def _scores(q, k):
    return q @ k.mT


def our_scores(spec, q, k, position_ids):
    rope = RotaryEmbedding(spec, angle_dtype=torch.float32)
    cos, sin = rope.tables(position_ids, length=int(position_ids.max()) + 1)
    return _scores(*(apply_rotary(x, cos[:, None], sin[:, None], layout=spec.layout) for x in (q, k)))


def drawn(spec, length):
    return torch.randn(2, 1, 2, length, spec.dim, generator=torch.Generator().manual_seed(0)).unbind()


def difference(config, spec, layer_type):
    """Largest difference of scores, over the model's rotary modules that run; or a reason why none does."""
    if config.model_type in INSIDE:
        return in_the_layer(config, spec)
    q, k = drawn(spec, len(POSITIONS))
    axes = torch.stack([POSITIONS, POSITIONS.flip(0) // 3, POSITIONS.roll(3) // 2])
    position_ids = POSITIONS[None] if spec.axes is None else axes[: spec.num_axes, None]
    ours, found, reasons = our_scores(spec, q, k, position_ids), [], []
    modules, functions = own_code(config)
    for module in modules:
        for function in functions:
            try:
                theirs = their_scores(config, module, function, layer_type, q, k, position_ids)
                found.append(float((theirs - ours).abs().max()))
            except Exception as error:
                reasons.append(f"{module.__name__}: {type(error).__name__}: {error}"[:120])
    return max(found) if found else f"no code to compare with: {reasons}"


def in_the_layer(config, spec):
    """The same of GPT-J and CodeGen, whose attention layers hold the table."""
    code = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    (layer,) = {c for n, c in vars(code).items() if n.endswith("Attention") and c.__module__ == code.__name__}
    table = layer(config, 0).embed_positions
    at = POSITIONS[len(table) > POSITIONS]
    sin, cos = table[None, at].chunk(2, -1)
    q, k = drawn(spec, len(at))
    width = 2 * sin.shape[-1]
    turned = (code.apply_rotary_pos_emb(x[..., :width].transpose(1, 2), sin, cos) for x in (q, k))
    turned = (torch.cat((t.transpose(1, 2), x[..., width:]), -1) for t, x in zip(turned, (q, k), strict=True))
    return float((_scores(*turned) - our_scores(spec, q, k, at[None])).abs().max())


@functools.cache
def default(model_type):
    """The default config, which nobody changes; None where transformers itself cannot make it."""
    try:
        return CONFIG_MAPPING[model_type]()
    except Exception:
        return None


def configs(model_type):
    """The default config, and those that switch a rotation on, by name."""
    config = default(model_type)
    yield "default", config
    part = text_part(config)
    changes = {"use_mem_rope": True, "position_embedding_type": "rope"}
    for key, value in changes.items():
        if hasattr(part, key):
            changed = copy.deepcopy(config)
            setattr(text_part(changed), key, value)
            yield f"{key}={value}", changed
    width, heads, head = (part.to_dict().get(k) for k in ("hidden_size", "num_attention_heads", "head_dim"))
    if head is None and isinstance(width, int) and isinstance(heads, int) and width % heads:
        config = copy.deepcopy(config)  # no default: every released config says it
        part = text_part(config)
        part.head_dim = 128
        yield "head_dim=128", config
    rope = getattr(part, "rope_parameters", None) or {}
    if getattr(part, "rotary_dim", None) and "partial_rotary_factor" not in rope and "rope_theta" in rope:
        changed = copy.deepcopy(config)  # the code takes the share, whatever the width beside it
        text_part(changed).rope_parameters |= {"partial_rotary_factor": part.rotary_dim / part.head_dim}
        yield f"partial_rotary_factor={part.rotary_dim}/{part.head_dim}", changed
    if not getattr(part, "rope_parameters", None):
        return
    made = [_made(module, part) for module in own_code(part)[0]]
    for section in {tuple(m.mrope_section) for m in made if getattr(m, "mrope_section", None)}:
        width = getattr(part, "head_dim", None) or part.hidden_size // part.num_attention_heads
        share = 2 * sum(section) / width
        for extra in ({}, {"mrope_interleaved": True}, {"mrope_interleaved": False}):
            changed = copy.deepcopy(config)
            rope = text_part(changed).rope_parameters
            rope |= {"mrope_section": list(section), "partial_rotary_factor": share} | extra
            yield f"mrope_section={section} {extra or ''}".strip(), changed


def _made(module, config):
    try:
        return module(copy.deepcopy(config))
    except Exception:
        return None


def turning(config, listed):
    """Each spec of its layers once, with the type of the layers that have it."""
    kinds = config.to_dict().get("layer_types") or ()
    pairs = zip(listed, [*kinds, *[None] * len(listed)], strict=False)
    return [pair for pair in dict.fromkeys(pairs) if pair[0]]


def judged(config, listed, compare=difference):
    """ "right", or of the first spec that is not in how far it is "wrong", or why no code can say so."""
    for spec, kind in turning(config, listed):
        apart = compare(config, spec, kind)
        if isinstance(apart, str):
            return apart
        if not apart < RIGHT:
            return f"wrong by {apart:.2g}: {spec} for {kind}"
    return "right"


def read(config):
    """What turns in each layer; of a config that does not count its layers, of any."""
    try:
        return specs(config, handled=TEMPERATURES)
    except ValueError as error:
        if "num_hidden_layers" not in str(error):
            raise
        return [RotarySpec.from_hf_config(config, handled=TEMPERATURES)]


def outcomes(model_type):
    """For each config, and each type of layers by itself: "right", what is wrong, or "refused: …"."""
    for name, config in configs(model_type):
        try:
            listed = read(config)
        except (TypeError, ValueError) as error:
            yield name, f"refused: {error}"
            continue
        yield name, judged(text_part(config), listed)
        for spec, kind in turning(text_part(config), listed):
            try:
                asked = RotarySpec.from_hf_config(config, kind, handled=TEMPERATURES)
            except ValueError:  # layers of this type differ
                continue
            yield f"{name} {kind}", "right" if asked == spec else f"{asked} is not what its layers have"
