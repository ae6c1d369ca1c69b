"""What other libraries call the values and the arguments of this one; wrong calls are answered with ours."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Collection
from functools import wraps
from types import FunctionType
from typing import Any, NoReturn, TypeVar

Call = TypeVar("Call", bound=Callable[..., Any])

_LONGEST = 60  # letters of a word that another may resemble

VALUES = {
    "neox": "half", "gpt_neox": "half", "rotate_half": "half",
    "gptj": "interleaved", "gpt-j": "interleaved", "complex": "interleaved",
    "su": "longrope", "ntk-aware": "ntk", "p-rope": "proportional", "mrope": "default",
    "eager": "dense", "math": "dense", "flash": "sdpa", "flashattention": "sdpa", "flash_attn": "sdpa",
    "flash_attention_2": "sdpa", "flex_attention": "flex",
}  # fmt: skip

_WIDTHS = "head_dim head_size dim_head d_head d_model hidden_size embed_dim embedding_dim dim"
#: An argument of ours, or how to write it, and its names elsewhere. The first that a call takes is meant.
ARGUMENTS = (
    ("base", "rope_theta theta rope_base rotary_emb_base freqs_base"),
    ("dim", _WIDTHS),
    ("spec, as in RotaryEmbedding(64)", _WIDTHS),
    ("embed_dim", _WIDTHS),
    ("head_dim", _WIDTHS),
    ("rotary_dim=int(share * dim)", "partial_rotary_factor rotary_pct rotary_percent rope_percentage"),
    ("rotary_dim", "rotary_ndims rope_dim qk_rope_head_dim"),
    ("layout='half' or 'interleaved'", "interleaved is_neox_style rotary_interleaved rope_interleave"),
    (
        "scaling='linear', params={'factor': 2.0}, say; RotarySpec.from_hf_config(config) reads both",
        "rope_scaling rope_parameters rope_type factor scaling_factor",
    ),
    ("seq_dim=-3 in place of unsqueeze_dim=2, and nothing for 1", "unsqueeze_dim heads_dim"),
    ("sections", "mrope_section"),
    ("sections_interleaved", "mrope_interleaved"),
    ("num_heads", "heads n_heads nheads n_head num_attention_heads"),
    ("num_kv_heads", "kv_heads n_kv_heads num_key_value_heads"),
    ("num_positions", "max_len max_length max_seq_len num_embeddings max_position_embeddings"),
    ("num_buckets", "relative_attention_num_buckets"),
    ("max_distance", "relative_attention_max_distance"),
    ("bidirectional=not causal", "causal is_causal is_decoder"),
    ("causal", "is_causal"),
    ("mask", "attn_mask"),
    ("mask=attention_mask.bool()[:, None, None, :]", "attention_mask"),
    ("mask=~key_padding_mask[:, None, None, :]", "key_padding_mask"),
    ("dropout", "dropout_p attention_dropout attn_dropout"),
    ("scale", "softmax_scale sm_scale scaling"),
    ("encoding", "attn_bias alibi_slopes position_bias score_mod pos_emb"),
    ("position_ids", "positions position pos input_pos cache_position"),
    ("position_ids, and offset belongs to RotaryEmbedding", "offset"),
    ("cos and sin of these positions", "position_ids positions position pos input_pos cache_position"),
    ("length", "seq_len seqlen"),
    ("cache", "past_key_value past_key_values kv_cache layer_past"),
    ("return_cache", "use_cache"),
    ("qk_norm", "use_qk_norm"),
    ("bias", "qkv_bias attention_bias use_bias"),
    ("q", "query"),
    ("k", "key"),
    ("v", "value"),
)  # fmt: skip
#: Names elsewhere that no argument stands for, and what does.
OTHERWISE = {
    "enable_gqa": "leave it out, k and v may have fewer heads than q",
    "batch_first": "leave it out, the batch always comes first",
    "max_position_embeddings": "leave it out, tables are made for the positions that are asked for",
    "max_len": "leave it out, tables are made for the positions that are asked for",
    "max_seq_len": "leave it out, tables are made for the positions that are asked for",
    "config": "RotarySpec.from_hf_config(config) reads one",
    "device": "leave it out, a module moves by to(device), and tables are made where the positions are",
}

TABLES_INSTEAD = "leave position_ids out, and give the tables of these positions"
#: Calls that are given too much by position, and what was meant.
BY_POSITION = {
    "MultiHeadAttention.forward": "it projects x itself; attention(q, k, v, encoding) takes queries, keys "
    "and values",
    "apply_rotary_pos_emb": TABLES_INSTEAD,
}


def meant(value: object, choices: Collection[str]) -> str:
    """What a word stands for, as the end of a message; nothing if it resembles no choice."""
    if not isinstance(value, str):
        return ""
    if VALUES.get(value.lower()) in choices:
        return f"; that is {VALUES[value.lower()]!r} here" + ", with sections" * (value == "mrope")
    return _close(value.lower(), choices)


def _close(word: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    if len(word) > _LONGEST:
        return ""
    close = get_close_matches(word, known, n=1, cutoff=0.75)
    return f"; did you mean {close[0]!r}?" if close else ""


def knows_names(call: Call, further: Collection[str] = ()) -> Call:
    """A function, or a class with its constructor, that answers names of arguments it does not have.

    Its signature stays as it is. For constructors, and calls that are not counted in microseconds.

    Args:
        further: names that ``**fields`` may have.

    Example:
        >>> @knows_names
        ... def scaled(x, *, scale=1.0):
        ...     return scale * x
        >>> scaled(2.0, softmax_scale=3.0)
        Traceback (most recent call last):
        ...
        TypeError: scaled() has no argument 'softmax_scale'; here it is scale
    """
    if isinstance(call, type):
        call.__init__ = _answering(call.__qualname__, call.__init__, further)  # type: ignore[misc]
        return call
    return _answering(call.__qualname__, call, further)  # type: ignore[return-value]


def _answering(name: str, code: Callable[..., Any], further: Collection[str]) -> Callable[..., Any]:
    parameters = inspect.signature(code).parameters.values()
    names = frozenset((*(p.name for p in parameters), *further))
    ordered = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = sys.maxsize if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(ordered)

    def check(named: Collection[str]) -> None:
        for given in named:
            if given not in names:
                _refuse(name, given, names)

    def refuse(args: Collection[object]) -> NoReturn:
        known = [n for n in ordered if n not in ("self", "cls")]
        count = len(args) - len(ordered) + len(known)
        raise TypeError(
            f"{name}() takes {', '.join(known)} by position and all else by name, got {count}; "
            + BY_POSITION.get(name, "further arguments are written as name=value")
        )

    def answered(*args: Any, **named: Any) -> Any:
        check(named)
        if len(args) > most:
            refuse(args)
        return code(*args, **named)

    # of the module of what it wraps, where the names of types are looked up in the overloads of a constructor
    there = FunctionType(answered.__code__, code.__globals__, closure=answered.__closure__)
    return wraps(code)(there)


def _refuse(name: str, given: str, names: Collection[str]) -> NoReturn:
    raise TypeError(f"{name}() has no argument {given[:_LONGEST]!r}{_instead(given, names)}")


def hides_unknown(call: Call) -> Call:
    """A function whose last parameter, ``**unknown``, is for :func:`refuse_unknown`, and not for readers."""
    parameters = inspect.signature(call).parameters.values()
    call.__signature__ = inspect.Signature([p for p in parameters if p.name != "unknown"])  # type: ignore
    return call


def refuse_unknown(call: Callable[..., Any], unknown: Collection[str]) -> NoReturn:
    """What :func:`knows_names` answers, for a call that is counted in microseconds."""
    _refuse(call.__qualname__, next(iter(unknown)), inspect.signature(call).parameters)


def _instead(given: str, names: Collection[str]) -> str:
    """What to write in place of a name, as the end of a message."""
    for ours, theirs in ARGUMENTS:
        if re.match(r"\w+", ours)[0] in names and given in theirs.split():  # type: ignore[index]
            return f"; here it is {ours}"
    if given in OTHERWISE:
        return f"; {OTHERWISE[given]}"
    known = [name for name in names if name not in ("self", "cls", "fields")]
    return _close(given, known) or f"; it has {', '.join(sorted(known))}"
