"""From each index to the whole range, and induction."""

from .calculus import continuous
from .domains import lies
from .terms import ONE, PATHS, ZERO, Term, add, ask, bind, has_words, letters, num, sub, substitute
from .theorem import Formula, Theorem, concluded, fixed, known_by, rule


@rule("kind", "theorem", "letter", "name", "term", "term", ["theorem"])
def over(kind: str, th: Theorem, x: Term, hint: str, lo: Term, hi: Term, signs: list[Theorem]) -> Theorem:
    """lo <= x, x <= hi, H |- a(x) R b(x), x no constant of H: H |- B a R B b, B a binder over lo..hi.

    For ``<=`` B is a sum, or an integral with lo <= hi of continuous functions: these are monotone. The
    hypotheses about x are true of each index; of an integral's where lo <= hi.
    """
    ask(not has_words(lo, hi), "the range may differ from one linear function to another")
    known = known_by(signs)
    inside = {Formula(frozenset(), lo, "<=", x), Formula(frozenset(), x, "<=", hi)}
    if kind == "int":
        ask(x.data[1] in ("R", "R+"), "a real letter is expected")
        ask(x.data[1] == "R" or (known(lo, ">0") and known(hi, ">0")), "the range leaves the letter's domain")
        forward = known(sub(hi, lo), ">=0")
        inside = inside if forward else set()
        ask(th.relation == "=" or forward, "the ends may be in the wrong order")
        ask(th.relation == "=" or (continuous(th.left, x) and continuous(th.right, x)), "not continuous")
    elif kind == "lim":
        ask(x.data[1] == PATHS.get((lo, hi)), "the letter does not go along the path")
        inside = set()
    else:
        ask(x.data[1] in ("Z", "N", "N+"), "an integer letter is expected")
        ask(x.data[1] == "Z" or known(lo, x.data[1]), "the range leaves the letter's domain")
    ask(th.relation == "=" or (th.relation == "<=" and kind in ("sum", "int")), "= or <= is expected")
    supposed = (th.hypotheses - inside).union(*(s.hypotheses for s in signs))
    ask(x not in fixed(supposed), f"{x} is a constant of a hypothesis")
    ask(x not in letters(lo, hi), f"{x} occurs in the range")
    left, right = (bind(kind, hint, lo, hi, x, side) for side in (th.left, th.right))
    return concluded((left, th.relation, right), [th, *signs], supposed)


@rule("letter", "term", "relation", "term", "theorem", ["theorem"], "term")
def induct(
    n: Term, left: Term, relation: str, right: Term, base: Theorem, steps: list[Theorem], first: Term
) -> Theorem:
    """H |- P(first); H, P(n) |- P(n + 1), n no constant of H: H |- P(n). Over Z also P(n) |- P(n - 1).

    The step may suppose P(n) for all values of letters that are no constants of H.
    """
    domain = n.data[1]
    ask(domain in ("N", "N+", "Z"), f"no induction over {domain}")
    ask(first == {"N": ZERO, "N+": ONE}.get(domain, first), "the first value of the letter is expected")
    ask(first.head == "num" and lies(first, domain), f"a number of {domain} is expected")
    ask(len(steps) == (2 if domain == "Z" else 1), "a step up is expected, over Z also one down")
    for th, value in zip([base, *steps], [first, add(n, ONE), add(n, num(-1))], strict=False):
        said = (substitute(left, {n: value}), relation, substitute(right, {n: value}))
        ask((th.left, th.relation, th.right) == said, f"the statement for {value} is expected")
    used = {h for th in steps for h in th.hypotheses if h[1:] == (left, relation, right)}
    used = {h for h in used if n not in h.universal}
    supposed = base.hypotheses.union(*(th.hypotheses - used for th in steps))
    free = {n}.union(*(h.universal for h in used))
    ask(free.isdisjoint(fixed(supposed)), f"{n}, or a letter of P, is a constant of a hypothesis")
    return concluded((left, relation, right), [base, *steps], supposed)
