"""Certified lower bounds on the rotary base, d = 128: ``python -m experiments.base_bounds``.

Writes ``49-base-bounds.json``, which the page of that name shows. Takes about six minutes of
one core. The cells are found in float64; that they cover, and that each settles its part, is shown in ball
arithmetic, and a row that fails is an error.
"""

import math
from typing import Any

import torch

from posenc_lib.analysis.base_bound import base_cover, kernel_sums

from .certificate import feasible, feasible_on, infeasible, negative_on

PLANES = 64
LENGTHS = tuple(2**k for k in range(10, 22))
SAFE_UP_TO = 2**15  # the other threshold takes longer
STEP = 1e-7  # relative distance between a base that is refuted and one that is confirmed
POWER = 2.25  # bases from L^POWER on need no search


def far_sum(length: int, planes: int) -> float:
    """A lower bound on the sums at all distances below length, for every base ≥ length^POWER.

    The ⌈n/POWER⌉ fastest planes count −1 each; for the others cos a ≥ 1 − a²/2, and the squares are below
    a geometric series with ratio b^(−2/n).
    """
    fast = math.ceil(planes / POWER)
    return planes - 2 * fast - 0.5 / (1 - length ** (-2 * POWER / planes))


def safe_edges(length: int, planes: int) -> list[float]:
    """Falling edges in u = ln b, from POWER·ln L down to the last base below which some sum is negative."""
    exponent = torch.arange(planes, dtype=torch.float64) / planes
    every = torch.arange(1, length, dtype=torch.float64)
    edges, half = [POWER * math.log(length)], 0.05
    while half > 1e-9:
        middle, left = edges[-1] - half, edges[-1] - 2 * half
        values = kernel_sums((-middle * exponent).exp(), length)[1:]
        reach = float((values / every).min() / (exponent * (-left * exponent).exp()).sum())
        if reach > 1.0001 * half:
            edges.append(left)
            half = 0.99 * reach
        else:
            half *= 0.7
    return edges


def require(holds: bool, what: str) -> None:
    """Raise if a row is not certified."""
    if not holds:
        raise ArithmeticError(f"not certified: {what}")


def safe_row(length: int) -> dict[str, Any]:
    """The base from which on every base is feasible."""
    require(far_sum(length, PLANES) > 0, f"L = {length}, bases from L^{POWER} on")
    edges = safe_edges(length, PLANES)
    require(feasible(edges, length, PLANES), f"L = {length}, bases above {math.exp(edges[-1])}")
    below = edges[-1] - STEP
    theta = (-below * torch.arange(PLANES, dtype=torch.float64) / PLANES).exp()
    worst = int(kernel_sums(theta, length).argmin())
    require(negative_on(below, below, worst, PLANES), f"L = {length}, the base below {math.exp(edges[-1])}")
    return {"base": math.exp(edges[-1]), "cells": len(edges) - 1, "distance": worst}


def rows(lengths: tuple[int, ...] = LENGTHS) -> list[dict[str, Any]]:
    """One row for each length; the cells of a row go on where those of the row before end."""
    found: list[dict[str, Any]] = []
    end, total = 0.0, 0
    for length in lengths:
        edges, distances = base_cover(length, 2 * PLANES, start=math.exp(end) * (1 - 1e-12) if end else 1.0)
        require(edges[0] <= end, f"L = {length}, no gap")
        require(infeasible(edges, distances, PLANES), f"L = {length}, the cells")
        end, total = edges[-1], total + len(distances)
        require(feasible_on(end + STEP, end + STEP, length, PLANES), f"L = {length}, the base above")
        row = {"length": length, "base": math.exp(end), "cells": total, "distance": distances[-1]}
        found.append({**row, "safe": safe_row(length) if length <= SAFE_UP_TO else None})
    return found
