"""What `posenc_lib.<name>` answers: a value, the version, or a hint at the name that was meant."""

import importlib.metadata
import subprocess
import sys

import pytest

import posenc_lib


def refused(name):
    with pytest.raises(AttributeError) as error:
        getattr(posenc_lib, name)
    return str(error.value)


NEARLY = {
    "apply_rotery": "apply_rotary",
    "rotaryembedding": "RotaryEmbedding",
    "MultiheadAttention": "MultiHeadAttention",
    "positions_from_cu_seqlen": "positions_from_cu_seqlens",
    "Alibi": "ALiBi",
    "Rope": "RotaryEmbedding",  # another library's name in another case
}


@pytest.mark.parametrize(("name", "meant"), [*NEARLY.items(), *posenc_lib._ELSEWHERE.items()])
def test_a_name_that_is_not_ours_says_which_one_was_meant(name, meant):
    assert refused(name) == f"module 'posenc_lib' has no attribute {name!r}; did you mean {meant!r}?"


def test_the_hint_is_also_given_where_a_name_is_imported():
    with pytest.raises(ImportError, match=r"has no attribute 'RoPE'; did you mean 'RotaryEmbedding'[?]$"):
        from posenc_lib import RoPE  # noqa: F401
    with pytest.raises(ImportError, match=r"^cannot import name 'quaternions'"):
        from posenc_lib import quaternions  # noqa: F401


def test_a_folder_is_imported_although_it_is_no_public_name():
    """In a process that has imported none of them; two resemble public names."""
    code, said = "import posenc_lib\n", ""
    for name in ("positions", "rotary", "hf"):
        code += f"try: posenc_lib.{name}\nexcept AttributeError as error: print(error)\n"
        said += f"module 'posenc_lib' has no attribute '{name}'; write `import posenc_lib.{name}`\n"
    for name in ("positions", "rotary", "hf"):
        code += f"from posenc_lib import {name}; print({name}.__name__)\n"
        said += f"posenc_lib.{name}\n"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == said


IN_FOLDERS = {"use_in": "hf", "specs": "hf", "fused_rotary_qk": "kernels", "gram": "analysis"}


@pytest.mark.parametrize(("name", "folder"), IN_FOLDERS.items())
def test_a_name_of_a_folder_says_where_it_is_imported_from(name, folder):
    assert refused(name).endswith(f"; write `from posenc_lib.{folder} import {name}`")


def test_every_hint_is_a_public_name_and_none_hides_one():
    assert set(posenc_lib._ELSEWHERE.values()) <= set(posenc_lib.__all__)
    assert not posenc_lib._ELSEWHERE.keys() & set(posenc_lib.__all__)


@pytest.mark.parametrize("name", ["quaternions", "__wrapped__", "_apply_rotary"])
def test_what_resembles_nothing_and_what_tools_ask_for_gets_no_hint(name):
    assert refused(name) == f"module 'posenc_lib' has no attribute {name!r}"


@pytest.mark.parametrize("installed", [True, False])
def test_the_version_is_that_of_the_installed_distribution_or_there_is_none(installed, monkeypatch):
    def version(name):
        if installed:
            return {"posenc_lib": "7.8.9"}[name]
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    assert getattr(posenc_lib, "__version__", None) == ("7.8.9" if installed else None)
