"""What `make links` asks, and that it fails where one address is dead; a server on this machine is asked."""

import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import yaml

from tools.notebooks import ROOT
from tools.outside_links import DOI, asked_instead

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]


class Answers(BaseHTTPRequestHandler):
    """There is /here, and nothing else."""

    def do_HEAD(self):
        self.send_response(200 if self.path == "/here" else 404)
        self.end_headers()

    do_GET = do_HEAD

    def log_message(self, *words):
        pass


@pytest.fixture
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def linkcheck(folder, *links):
    (folder / "index.rst").write_text(
        "Links\n=====\n\n" + "\n".join(f"`{link} <{link}>`__" for link in links)
    )
    words = ["-q", "-b", "linkcheck", "-C", "-D", "linkcheck_retries=1"]
    asked = subprocess.run([sys.executable, "-m", "sphinx", *words, folder, folder / "out"], check=False)
    return asked.returncode, (folder / "out" / "output.txt").read_text()


def test_one_dead_address_among_living_ones_is_a_failure_and_is_named(tmp_path, address):
    (tmp_path / "alive").mkdir()
    assert linkcheck(tmp_path / "alive", f"{address}/here") == (0, "")
    failed, told = linkcheck(tmp_path, f"{address}/here", f"{address}/gone")
    assert failed and f"{address}/gone" in told and "/here" not in told


def test_a_doi_is_asked_of_the_registry_and_all_else_of_itself():
    assert asked_instead(None, f"{DOI}10.1007/BF01446522") == f"{DOI}api/handles/10.1007/BF01446522"
    assert asked_instead(None, "https://arxiv.org/abs/2104.09864") is None
    assert CONFIG["local_extensions"]["outside_links"] == "tools"


def test_only_what_answers_no_program_is_left_out():
    assert CONFIG["config"]["linkcheck_ignore"] == [r"https://www\.reddit\.com/"]
    assert not {"linkcheck_exclude_documents", "linkcheck_allow_unauthorized"} & CONFIG["config"].keys()
