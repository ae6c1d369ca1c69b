"""For ``make links``: a DOI is asked of those who keep the list of DOIs.

Where a DOI leads, at a publisher's, a program is often answered "403 Forbidden", so that a weekly run would
be red for the wrong reason. https://doi.org/api/handles/… answers whether a DOI is registered, and 404 if not
(DOI Resolution Documentation, "Proxy Server REST API").
"""

from typing import Any

DOI = "https://doi.org/"


def asked_instead(app: Any, address: str) -> str | None:
    """What is asked instead of an address; None where it is asked itself.

    >>> asked_instead(None, "https://doi.org/10.48550/arXiv.2104.09864")
    'https://doi.org/api/handles/10.48550/arXiv.2104.09864'
    >>> asked_instead(None, "https://arxiv.org/abs/2104.09864")
    """
    name = address.removeprefix(DOI)
    return None if name == address else f"{DOI}api/handles/{name}"
