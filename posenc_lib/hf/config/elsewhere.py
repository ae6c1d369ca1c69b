"""Model types whose positions are no rotation, and what says them here instead.

Every name is checked by tests/library/hf/test_hf_elsewhere.py against the code of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lib.hf.config.models import names

_KINDS = {
    "a learned vector for each position is added to the embeddings, see posenc_lib.LearnedEncoding": names(
        """
        albert bart bert bert-generation big_bird biogpt blenderbot camembert clip_text_model
        decision_transformer distilbert electra ernie gpt2 gpt_bigcode gpt_neo imagegpt layoutlm led
        longformer luke mbart megatron-bert mobilebert mvp nystromformer openai-gpt opt plbart rembert
        roberta roberta-prelayernorm roc_bert siglip_text_model xlm-roberta xlm-roberta-xl xmod
        """
    ),
    "fixed sines and cosines are added to the embeddings, see posenc_lib.SinusoidalEncoding": names(
        "fsmt m2m_100 marian nllb-moe pegasus speech_to_text xglm"
    ),
    "a learned number for each bucket of distances is added to the scores, see posenc_lib.T5Bias": names(
        "longt5 mt5 pop2piano switch_transformers t5 umt5"
    ),
    "a slope times the distance is taken from the scores, see posenc_lib.ALiBi(num_heads)": names(
        "bloom mpt"
    ),
    "a learned number for each shift in a window is added to the scores, see posenc_lib.WindowBias": names(
        "beit donut-swin maskformer-swin swin"
    ),
    "a small network of the shift in a window is added to the scores, see posenc_lib.LogCPB": names("swinv2"),
    "scores with vectors for distances are added, see posenc_lib.disentangled_scores": names(
        "deberta deberta-v2"
    ),
}
ELSEWHERE = {model_type: what for what, types in _KINDS.items() for model_type in types}
#: For a type that is in no table.
OTHERS = (
    "a model without rotary encoding may add embeddings (LearnedEncoding, SinusoidalEncoding) "
    "or a bias (T5Bias, ALiBi)"
)


def check_turns(cfg: Mapping[str, Any]) -> None:
    """Refuse a config whose model turns nothing, and say what its positions are.

    Example:
        >>> check_turns({"model_type": "t5"})
        Traceback (most recent call last):
        ...
        ValueError: model type 't5' has no rotary encoding: a learned number for each bucket of distances \
is added to the scores, see posenc_lib.T5Bias
    """
    what = ELSEWHERE.get(str(cfg.get("model_type")))
    if what is not None:
        raise ValueError(f"model type {cfg['model_type']!r} has no rotary encoding: {what}")
