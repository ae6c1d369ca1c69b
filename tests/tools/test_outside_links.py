"""What `make links` asks: a DOI of the registry, and all else of itself."""

from tools.outside_links import DOI, asked_instead


def test_a_doi_is_asked_of_the_registry_and_all_else_of_itself():
    assert asked_instead(None, f"{DOI}10.1007/BF01446522") == f"{DOI}api/handles/10.1007/BF01446522"
    assert asked_instead(None, "https://arxiv.org/abs/2104.09864") is None
