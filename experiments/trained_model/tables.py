"""Lengths of what is added up before the first normalisation (question 2)."""

from posenc_book import learned

from .encoder import Weights, positions


def lengths(w: Weights) -> dict[str, object]:
    """Lengths of word, segment and position vectors."""
    word = w["embeddings.word_embeddings.weight"].norm(dim=1)
    return {
        "word, mean": float(word.mean()),
        "word": learned.spread(word.tolist()),
        "segment": float(w["embeddings.token_type_embeddings.weight"][0].norm()),
        **learned.lengths(positions(w)),
    }
