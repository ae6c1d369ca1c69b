"""What page 13 says of a trained model, its numbers filled in from its stored results or outputs."""

from sources import shown, stored

RESULTS = stored("1-order/13-trained-model")
HEADS = RESULTS["H"]["first layer"]["heads"]
MISSED = {change: found["median"] for change, found in RESULTS["expansion"]["missed at 1"].items()}
RADIUS, AT_0 = (
    RESULTS["expansion"]["radius of convergence"]["all others"]["median"],
    RESULTS["expansion"]["radius of convergence"]["position 0, [CLS]"],
)


def premises():
    lengths, words = RESULTS["lengths"], RESULTS["covariance"]["word"]
    share = RESULTS["covariance"]["position"]["diagonal share"]
    return [
        f"lengths | {lengths['position, mean']:.2f}, words {lengths['word, mean']:.2f}; "
        f"but position 0 has {lengths['position 0']:.2f}",
        f"a diagonal entry is {words['prominence']:.0f} times another, on average, "
        f"and {words['prominence, rotated']['median']:.0f} times after a random rotation",
        f"(share {share['share']:.0%} against {share['rotated']:.0%})".replace("%", " %"),
    ]


def expansion():
    whole, alone = MISSED["as it is"], MISSED["no vector at position 0"]
    around = RESULTS["expansion"]["missed at 1"]["as it is"]
    assert round(3 * MISSED["straight up to the last layer"]) == 1
    return [
        f"the error of order 2 is {whole:.0f} times the change",
        f"the error of order 2 is *{whole:.0f} times* as large as the change it is meant to describe "
        f"({around['least']:.0f} to {around['greatest']:.0f} times)",
        f"That is {RADIUS:.2f} in the median, but {AT_0:.2f} for the token at position 0",
        f"Without it the factor {whole:.0f} falls to {alone:.0f}",
        f"the terms shrink by a factor of about {1 / RADIUS:.2f} each",
        f"the factor is {MISSED['embedding LayerNorm straightened']:.0f}; "
        "with straight lines up to the last layer a third of the change is missed",
        f"at all: {whole:.0f} before, "
        f"{MISSED['previous-token head without position–position logits']:.0f} after",
        f"Below the smallest radius, {AT_0:.2f}, that of position 0",
        f"for $|x|/|p|={RADIUS:.2f}$ and for position 0",
        f"convergence for $t={1 / RADIUS:.2f}$, and for $t={1 / AT_0:.3f}$ sums",
    ]


def rotation():
    tables = RESULTS["positions"]["tables"]
    learned, walk = tables["learned"], tables["random walk"]
    better = [name for name in tables if tables[name]["whitened"]["R2"] > learned["whitened"]["R2"]]
    radii = learned["turning"]["spread of the modulus"]
    assert len(better) == 2 and learned["whitened"]["distance to the nearest rotation"] < 0.01
    return [
        f"The **gain** is {learned['whitened']['gain over no change']:.2f}, "
        f"where the walk has {walk['whitened']['gain over no change']:.2f}",
        f"whose slowest period is {learned['turning']['periods of the nearest rotation'][0]:.0f}.)",
        "That $M$ is a rotation to within one per cent means little",
        f"$R^2={learned['whitened']['R2']:.3f}$ means as little: two of the controls have more",
        f"varies by {100 * min(radii):.0f} to {100 * max(radii):.0f} %",
        f"leave out {100 - 100 * learned['share of ten components']:.0f} % of its variance",
        f"add up to {shown(13, 'squared steps'):.2f}, nearly all of it from the fastest plane",
        f"one half near $\\sigma={(shown(13, 'squared steps') / 20) ** 0.5:.2f}$; "
        f"it is {shown(13, 'σ = 0.24: gain'):.2f}",
    ]


def heads():
    neurons, planes = RESULTS["H"]["read-outs"]["neurons"], RESULTS["H"]["read-outs"]["planes"].values()
    one, two = (100 * neurons[name]["share"] for name in ("random direction", "similarity"))
    least, most = (f([p["commuting"][w] for p in planes]) for f, w in ((min, "least"), (max, "greatest")))
    good, plain = (
        [100 * head["commuting"] for head in which if head["commuting"] > 0.6]
        for which in (HEADS, [head["not whitened"] for head in HEADS])
    )
    assert len(good) == len(plain) == 10
    assert all(h["commuting"] > h["rotated"]["greatest"] for h in HEADS)
    over = [head["commuting"] - head["rotated"]["greatest"] for head in HEADS]
    nearest = over.index(min(over))
    last = HEADS[nearest]
    fast = [shown(13, rf"period {turn}: a = \S+ b = \S+ peak at distance") for turn in (51.8, 17.1, 5.9)]
    return [
        f"the diagonal holds {one:.1f} and {two:.1f} per cent of",
        f"The spread is wide, from {least:.1f} to {most:.1f}",
        f"satisfy the condition to {min(good):.0f}–{max(good):.0f} %, each above",
        f"Without whitening the same ten satisfy the condition to {min(plain):.0f}–{max(plain):.0f} %",
        f"peak at {fast[0]:.2f}, {fast[1]:.2f} and {fast[2]:.2f}, and "
        f"for {shown(13, 'the largest logit for'):.0f} % of positions",
        f"head {nearest} by the least ({last['commuting']:.2f} against {last['rotated']['greatest']:.2f})",
        f"the odd part of head 2 is {HEADS[2]['odd']:.2f} or {HEADS[2]['not whitened']['odd']:.2f}",
    ]


SAID = [*premises(), *expansion(), *rotation(), *heads()]
