"""``python -m posenc_lib.hf check``: about ten lines that somebody can paste into an issue."""

import json
import sys

import pytest

from posenc_lib.hf import __main__ as command

transformers = pytest.importorskip("transformers")
from small_models import made  # noqa: E402


def said(capsys, tmp_path, config):
    config.save_pretrained(tmp_path)
    status = command.main(["check", str(tmp_path / "config.json")])
    return status, capsys.readouterr().out.splitlines()


def test_layers_that_do_the_same_stand_together_and_the_code_is_compared(capsys, tmp_path):
    status, lines = said(capsys, tmp_path, made("llama4_text").config)
    assert status == 0 and len(lines) == 5
    assert lines[0].startswith("posenc_lib ") and lines[1] == "llama4_text, 4 layers, up to 256 positions"
    assert lines[2].startswith("layers 0-2: RotarySpec(dim=16, base=") and "interleaved" in lines[2]
    assert lines[3].startswith("layers 3: turns nothing, queries times Temperature(")
    assert lines[4].startswith("compared with Llama4TextRotaryEmbedding: tables at most ")


def test_two_kinds_of_layers_are_two_lines(capsys, tmp_path):
    status, lines = said(capsys, tmp_path, made("gemma3_text").config)
    assert status == 0 and [line.split(":")[0] for line in lines[2:4]] == ["layers 0, 2", "layers 1, 3"]


def test_what_is_refused_is_said_and_no_number_is_claimed(capsys, tmp_path, monkeypatch):
    status, lines = said(capsys, tmp_path, transformers.BertConfig())
    assert status == 1 and lines[-1].startswith("refused: model type 'bert' has no rotary encoding: ")
    kind = transformers.models.llama.modeling_llama.LlamaRotaryEmbedding
    own = kind.forward
    monkeypatch.setattr(kind, "forward", lambda self, x, position_ids: own(self, x, position_ids + 1))
    status, lines = said(capsys, tmp_path, made("llama").config)
    assert status == 1 and "another than that of its config: it differs from RotarySpec(" in lines[-1]


@pytest.mark.parametrize("arguments", [[], ["check"], ["look", "x"]])
def test_a_wrong_command_is_answered_with_the_right_one(arguments, capsys):
    assert command.main(arguments) == 2 and capsys.readouterr().out == command.USAGE + "\n"


BROKEN = [({"rope_scaling": {"rope_type": "yarn"}}, "factor"), ({"hidden_size": "256"}, "hidden_size")]


@pytest.mark.parametrize(("changed", "says"), [*BROKEN, (None, "")])
def test_a_broken_config_or_none_is_one_line_without_a_traceback(changed, says, capsys, tmp_path):
    plain = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 1}
    file = tmp_path / "config.json"
    if changed is not None:
        file.write_text(json.dumps(plain | changed))
    assert command.main(["check", str(file)]) == 1
    refused = [line for line in capsys.readouterr().out.splitlines() if line.startswith("refused: ")]
    assert len(refused) == 1 and says in refused[0]


def test_without_transformers_it_says_what_is_missing(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert command.main(["check", "x"]) == 1 and "pip install transformers" in capsys.readouterr().out
