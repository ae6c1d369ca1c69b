"""Terms that content decides: gates that forget (FoX), and gates that count what lies between (CoPE)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from posenc_lib._checks import check_floating, check_integers, check_local, check_same, widened
from posenc_lib._torch_state import as_given, concrete
from posenc_lib.angles.double import arithmetic, back, exact

_HIDDEN = float("-inf")


def forgetting_bias(log_gates: Tensor, q_pos: Tensor, k_pos: Tensor) -> Tensor:
    r""":math:`b(m, n) = \sum_{n < l \le m} \ln f_l`: what the gates after key n have left of it at query m.

    Every key has a gate :math:`0 < f_l \le 1`, in FoX :math:`f = \sigma(w^\top x + b)` of its embedding, for
    each head. Constant gates :math:`f = e^{-s}` are ALiBi with slope s. Keys after the query get −∞, so the
    result is a whole causal ``attn_mask`` of torch's ``scaled_dot_product_attention``. Of positions only the
    order counts: packed sequences go on counting, and a mask keeps them apart.

    Args:
        log_gates: :math:`\ln f`, ``[batch, heads, K]``, ``logsigmoid`` of a linear layer's output.
        q_pos: integers ``[Q]`` or ``[batch, Q]``, positions of the queries.
        k_pos: integers ``[K]`` or ``[batch, K]``, positions of the keys, in any order.

    Returns:
        ``[batch, heads, Q, K]``, float32 or, for float64, float64. It is a difference of long sums, worked
        out in float64.

    Raises:
        TypeError: ``log_gates`` that are not floating; positions that are not integers.
        ValueError: shapes or devices that do not fit; a position that two keys share; ``log_gates`` above 0
            or not finite. Values are looked at on the CPU in eager mode only.

    Example:
        >>> at = torch.arange(4)
        >>> forgetting_bias(torch.tensor([[[-9.0, -1.0, -2.0, -4.0]]]), at, at)
        tensor([[[[ 0., -inf, -inf, -inf],
                  [-1.,  0., -inf, -inf],
                  [-3., -2.,  0., -inf],
                  [-7., -6., -4.,  0.]]]])

    Source:
        Lin et al. 2025 (Forgetting Transformer), section 3.
    """
    check_local("log_gates", check_floating("log_gates", log_gates))
    if log_gates.ndim != 3:
        raise ValueError(f"log_gates must have shape [batch, heads, K], got {list(log_gates.shape)}")
    if concrete(log_gates) and not bool((log_gates.isfinite() & (log_gates <= 0)).all()):
        raise ValueError(
            "log_gates must be finite and at most 0, the logarithms of gates in (0, 1]: "
            "torch.nn.functional.logsigmoid of a layer's output"
        )
    keys = log_gates.shape[2]
    sums = exact(log_gates, torch.float64)
    m = _places("q_pos", q_pos, "log_gates", log_gates, None).to(sums.device)
    n = _key_places(k_pos, "log_gates", log_gates, keys).to(sums.device)
    order = n.argsort(-1)
    sums = torch.take_along_dim(sums, order[:, None], -1).cumsum(-1)
    first = pad(sums, (1, 0))  # of the first 0, 1, … keys
    ordered = n.gather(-1, order)
    at_query, at_key = (
        torch.take_along_dim(first, torch.searchsorted(ordered, at, right=True)[:, None], -1) for at in (m, n)
    )
    bias = torch.where(_seen(m, n), at_query[..., None] - at_key[..., None, :], _HIDDEN)
    return back(bias, log_gates.device, arithmetic(log_gates))


def cope_logits(q: Tensor, gate_logits: Tensor, table: Tensor, q_pos: Tensor, k_pos: Tensor) -> Tensor:
    r""":math:`z(m, n) = q_m^\top e[p_{mn}]` at position :math:`p_{mn} = \sum_{n \le l \le m} \sigma(s_{ml})`.

    The gates of query m count the keys from n to m, so a model can count words or sentences. Between whole
    positions the table is interpolated, :math:`e[p] = (1 - p + \lfloor p\rfloor)\,e_{\lfloor p\rfloor} +
    (p - \lfloor p\rfloor)\,e_{\lfloor p\rfloor + 1}`, and p is at most its last row. Keys after the query
    get −∞: added to the scores, and followed by a softmax, it is causal attention. Of ``q_pos`` and
    ``k_pos`` only the order counts.

    Args:
        q: ``[batch, heads, Q, d]``.
        gate_logits: s, ``[batch, heads, Q, K]``: in the paper :math:`q_m^\top k_n`, in its released code
            divided by :math:`\sqrt d`, as the scores are.
        table: e, ``[P, d]`` for the positions 0, …, P − 1, shared by the heads.
        q_pos: integers ``[Q]`` or ``[batch, Q]``, positions of the queries.
        k_pos: integers ``[K]`` or ``[batch, K]``, positions of the keys, in any order.

    Returns:
        ``[batch, heads, Q, K]``, not scaled, float32 or, for float64, float64.

    Raises:
        TypeError: inputs that are not floating or of different dtypes; positions that are not integers.
        ValueError: shapes or devices that do not fit; a position that two keys share.

    Example:
        >>> at, zero = torch.arange(3), torch.zeros(1, 1, 3, 3)  # gates half open: p counts in halves
        >>> cope_logits(torch.ones(1, 1, 3, 1), zero, torch.tensor([[0.0], [10.0]]), at, at)
        tensor([[[[ 5., -inf, -inf],
                  [10.,  5., -inf],
                  [10., 10.,  5.]]]])

    Source:
        Golovneva et al. 2024 (Contextual Position Encoding), equations (3) to (5).
    """
    for name, x, axes in (("q", q, "Q, d"), ("gate_logits", gate_logits, "Q, K")):
        check_local(name, check_floating(name, x))
        check_same(name, x, "q", q)
        if x.ndim != 4:
            raise ValueError(f"{name} must have shape [batch, heads, {axes}], got {list(x.shape)}")
    check_floating("table", table)
    check_same("table", table, "q", q)
    if gate_logits.shape[:3] != q.shape[:3]:
        raise ValueError(
            f"gate_logits must have shape {[*q.shape[:3], 'K']} for q of shape {list(q.shape)}, "
            f"got {list(gate_logits.shape)}"
        )
    if table.ndim != 2 or table.shape[0] == 0 or table.shape[1] != q.shape[3]:
        raise ValueError(f"table must have shape [P, {q.shape[3]}], P ≥ 1, got {list(table.shape)}")
    queries, keys = gate_logits.shape[2:]
    m, n = _places("q_pos", q_pos, "q", q, queries), _key_places(k_pos, "q", q, keys)
    dtype, seen, last = arithmetic(q), _seen(m, n), table.shape[0] - 1
    gates = torch.where(seen, gate_logits.to(dtype).sigmoid(), 0.0)
    order = n.argsort(-1)
    from_here = torch.take_along_dim(gates, order[:, None, None], -1).flip(-1).cumsum(-1).flip(-1)
    position = torch.take_along_dim(from_here, order.argsort(-1)[:, None, None], -1).clamp(max=last)
    below = position.floor()
    low, part = (
        below.long().clamp(0, last),
        position - below,
    )  # 0 where a gate is not a number: z is none, too
    with as_given(q):
        numbers = q.to(dtype) @ table.to(dtype).T
    logits = torch.lerp(numbers.gather(-1, low), numbers.gather(-1, (low + 1).clamp(max=last)), part)
    return torch.where(seen, logits, _HIDDEN)


def _places(name: str, value: Tensor, other: str, beside: Tensor, length: int | None) -> Tensor:
    """Integer positions, checked, as int64 ``[batch, length]``."""
    check_integers(name, value)
    check_same(name, value, other, beside, dtype=False)
    batch = beside.shape[0]
    wanted = value.shape[-1:] if length is None else (length,)
    if value.ndim == 0 or value.shape not in (wanted, (batch, *wanted)):
        shown = "length" if length is None else length
        raise ValueError(f"{name} must have shape [{shown}] or [{batch}, {shown}], got {list(value.shape)}")
    return widened(value).expand(batch, -1).contiguous()


def _key_places(k_pos: Tensor, other: str, beside: Tensor, length: int) -> Tensor:
    n = _places("k_pos", k_pos, other, beside, length)
    if concrete(n) and bool((n.sort(-1).values.diff(dim=-1) == 0).any()):
        raise ValueError(
            "k_pos must tell the keys of a row apart, for gates are summed in their order; as only the order "
            "counts, padded and packed rows can count on"
        )
    return n


def _seen(m: Tensor, n: Tensor) -> Tensor:
    """Where the key is not after the query, ``[batch, 1, Q, K]``."""
    return (n[:, None, :] <= m[:, :, None])[:, None]
