"""The fused kernel, on a GPU or else in Triton's interpreter, against the plain rotation."""

import mpmath
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from posenc_lib import apply_rotary, apply_rotary_qk, cos_sin, inv_freq, positions_from_cu_seqlens
from posenc_lib.kernels import cos_sin_from_turns, fused_rotary_at, fused_rotary_qk, turns

F64 = torch.float64
LAYOUTS = ["half", "interleaved"]


@pytest.fixture
def gpu(monkeypatch):
    """The device that the kernel runs on: a GPU, or the CPU through the interpreter."""
    pytest.importorskip("triton")
    if torch.cuda.is_available():
        return torch.device("cuda")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    return torch.device("cpu")


def data(device, dtype=torch.float32, dim=16, seq=5, heads=(4, 2), batch=2):
    return tuple(torch.randn(batch, h, seq, dim, device=device).to(dtype) for h in heads)


def error(position, theta, cos, sin):
    """The largest one of a row of cosines and sines."""
    with mpmath.workdps(60):
        rows = zip(theta.tolist(), cos.tolist(), sin.tolist(), strict=True)
        angles = [(position * mpmath.mpf(t), c, s) for t, c, s in rows]
        return max(max(abs(mpmath.cos(a) - c), abs(mpmath.sin(a) - s)) for a, c, s in angles)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, F64])
@pytest.mark.parametrize(("dim", "rotated"), [(16, 16), (24, 20)])
def test_kernel_equals_the_plain_rotation(gpu, layout, dtype, dim, rotated):
    q, k = data(gpu, dtype, dim)
    ids = torch.randint(0, 10_000, (2, 5), device=gpu)
    tables = cos_sin(inv_freq(rotated), ids, dtype=F64 if dtype == F64 else torch.float32)
    expected = apply_rotary_qk(q, k, *tables, layout=layout)
    got = fused_rotary_qk(q, k, *tables, layout=layout)
    own = fused_rotary_qk(q, k, *tables, layout=layout, inplace=True)
    assert own[0] is q and own[1] is k
    for a, b, c in zip(got, own, expected, strict=True):
        # one fused multiply-add more or less: an ulp of float32, which may tip one rounding to half precision
        torch.testing.assert_close(a, c, rtol=2 * torch.finfo(dtype).eps, atol=4 * torch.finfo(dtype).eps)
        assert torch.equal(a, b) and torch.equal(a[..., rotated:], c[..., rotated:])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("heads", [(1, 1), (7, 2)])
@pytest.mark.parametrize("busy", [1, 10**9], ids=["heads in groups", "heads alone"])
def test_any_heads_strides_and_lengths(gpu, layout, heads, busy, monkeypatch):
    from posenc_lib.kernels import _triton

    monkeypatch.setattr(_triton, "_PROGRAMS", busy)
    for seq in (1, 70):
        q, k = data(gpu, seq=seq, heads=heads)
        q = q.transpose(1, 2).contiguous().transpose(1, 2)  # [batch, seq, heads, dim] in memory
        tables = cos_sin(inv_freq(16), torch.arange(seq, device=gpu))
        got, expected = (f(q, k, *tables, layout=layout) for f in (fused_rotary_qk, apply_rotary_qk))
        assert got[0].stride() == q.stride()
        for a, b in zip(got, expected, strict=True):
            torch.testing.assert_close(a, b, rtol=0, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sequence_before_heads_and_packed_texts(gpu, layout):
    """Three texts in one row, one of them empty, each from position 0; positions are every other number."""
    q, k = (x.transpose(1, 2)[:1] for x in data(gpu, seq=9))  # what [total, heads, dim] is as x[None]
    theta, ids = inv_freq(12), positions_from_cu_seqlens(torch.tensor([0, 4, 4, 9], device=gpu))
    ids = ids.repeat_interleave(2)[::2]
    tables, given = cos_sin(theta, ids), {"layout": layout, "seq_dim": -3}
    new = fused_rotary_qk(q, k, *tables, **given)
    made = fused_rotary_at(q, k, ids, turns(theta).to(gpu), **given)
    own = fused_rotary_qk(q.clone(), k.clone(), *tables, **given, inplace=True)
    for a, b in zip(new + made + own, 3 * apply_rotary_qk(q, k, *tables, **given), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=2e-6)


@pytest.mark.parametrize(("layout", "inplace", "seq_dim"), [("half", False, -2), ("interleaved", True, -3)])
def test_gradient_is_the_inverse_rotation(gpu, layout, inplace, seq_dim):
    q, k = (x.requires_grad_() for x in data(gpu, F64, dim=6, seq=2, heads=(2, 1), batch=1))
    cos, sin = cos_sin(inv_freq(4), torch.arange(2, device=gpu), dtype=F64)

    def function(q, k):
        q, k = (x.transpose(1, -1 - seq_dim) * 1 for x in (q, k))
        turned = fused_rotary_qk(q, k, cos, sin, layout=layout, inplace=inplace, seq_dim=seq_dim)
        return tuple(x.transpose(1, -1 - seq_dim) for x in turned)

    assert gradcheck(function, (q, k), fast_mode=True)  # random directions: the interpreter is slow
    assert gradgradcheck(function, (q, k), fast_mode=True)
    cotangent = torch.randn_like(q)
    (grad,) = torch.autograd.grad(function(q, k)[0], q, cotangent)
    expected = apply_rotary(cotangent, cos, sin, layout=layout, inverse=True)
    eps = torch.finfo(grad.dtype).eps
    torch.testing.assert_close(grad, expected, rtol=2 * eps, atol=2 * eps)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_angles_made_in_the_kernel_are_exact_at_any_position(gpu, layout, dtype):
    q, k = data(gpu, dtype, seq=6)
    ids = torch.tensor([0, 4096, 131072, 10**6, 2**24, -5], device=gpu)
    theta = inv_freq(12)
    tables = cos_sin(theta, ids, attention_factor=1.25, dtype=F64)
    exact = apply_rotary_qk(q.double(), k.double(), *tables, layout=layout)
    got = fused_rotary_at(q, k, ids, turns(theta).to(gpu), layout=layout, attention_factor=1.25)
    for a, b in zip(got, exact, strict=True):
        # angles to 1e-7, times |x| < 8, and the rounding of the output
        torch.testing.assert_close(a.double(), b, rtol=torch.finfo(dtype).eps, atol=2e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cosines_made_in_the_kernel_are_good_to_float32(gpu, layout):
    theta, n = inv_freq(16), 8
    ids = torch.cat((torch.arange(120), torch.randint(-(2**40), 2**40, (136,)))).to(gpu)
    unit = torch.zeros(1, 1, len(ids), 2 * n, device=gpu)  # the planes' first axes: they turn to (cos, sin)
    halves, turned = (slice(0, n), slice(n, None)), (slice(0, None, 2), slice(1, None, 2))
    first, second = halves if layout == "half" else turned
    unit[..., first] = 1
    got = fused_rotary_at(unit, unit, ids, turns(theta).to(gpu), layout=layout)[0][0, 0].cpu()
    for position, cos, sin in zip(ids.tolist(), got[:, first], got[:, second], strict=True):
        # angle: 2^-32 turn, 1.5e-9, its rounding, 2.3e-8; polynomial: 2e-9 and four roundings near the end
        assert error(position, theta, cos, sin) < 1.2e-7 + abs(position) * 1.71e-19


def test_gradient_through_positions(gpu):
    q, k = (x.requires_grad_() for x in data(gpu))
    ids, cotangent, theta = torch.randint(0, 1000, (2, 5), device=gpu), torch.randn_like(q), inv_freq(16)
    fused_rotary_at(q, k, ids, turns(theta).to(gpu), attention_factor=0.5)[0].backward(cotangent)
    expected = apply_rotary(cotangent, *cos_sin(theta, ids, attention_factor=0.5), inverse=True)
    torch.testing.assert_close(q.grad, expected, rtol=0, atol=1e-6)


def test_operators_are_well_formed(gpu):
    q, k = (x.requires_grad_() for x in data(gpu, dim=4, seq=1, heads=(1, 1), batch=1))
    cos, sin = (t[None] for t in cos_sin(inv_freq(4), torch.arange(1, device=gpu)))
    torch.library.opcheck(torch.ops.posenc.rotate_qk, (q, k, cos, sin, "half", False))
    ids, at = torch.arange(1, device=gpu)[None], turns(inv_freq(4)).to(gpu)
    torch.library.opcheck(torch.ops.posenc.rotate_qk_at, (q, k, ids, at, 1.0, "half", False))
    torch.library.opcheck(torch.ops.posenc.rotate_qk_, (q.detach(), k.detach(), cos, sin, "half"))


def test_compiles_whole(gpu):
    q, k = data(gpu)
    tables = cos_sin(inv_freq(16), torch.arange(5, device=gpu))
    compiled = torch.compile(fused_rotary_qk, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(q, k, *tables), fused_rotary_qk(q, k, *tables))


@pytest.mark.parametrize("position", [0, 1, 4096, 131072, 10**6, 2**24, 10**9, 2**40, -77])
def test_integer_turns_reduce_exactly(position, device):
    theta = inv_freq(128)
    ours = cos_sin_from_turns(turns(theta).to(device), torch.tensor(position, device=device))
    # in float32: the angle in ±π/4 is rounded twice and 2π once, 8.5e-8 in all, and the result once, 3e-8;
    # in fixed point: 2^-65 of a turn, 1.7e-19 rad, a position
    assert error(position, theta, *ours) < 1.2e-7 + abs(position) * 1.71e-19


def test_outside_the_interpreter_tensors_on_the_cpu_are_refused(gpu, monkeypatch):
    """There a kernel is one for the compiler."""
    import triton

    from posenc_lib.kernels import _triton

    monkeypatch.setattr(_triton, "_rotate_qk", object.__new__(triton.JITFunction))
    said = "^q is on cpu, which the fused kernel does not run on: use apply_rotary_qk$"
    q, k = data("cpu")
    tables, ids = cos_sin(inv_freq(16), torch.arange(5)), torch.arange(5)
    for call in (
        lambda: fused_rotary_qk(q, k, *tables),
        lambda: fused_rotary_qk(q, k, *tables, inplace=True),
        lambda: fused_rotary_at(q, k, ids, turns(inv_freq(16))),
    ):
        with pytest.raises(RuntimeError, match=said):
            call()
