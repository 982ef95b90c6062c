"""The commands of docs/knowledge.md run one after the other and print what the page describes."""

import re
import shlex
import uuid
from pathlib import Path

from tests.doors.cli.commands import here

PAGE = (Path(__file__).parents[2] / "docs" / "knowledge.md").read_text(encoding="utf-8")


def test_every_command_runs(real_env: dict[str, str]) -> None:
    env = real_env | {"LEGACYMIND_NAMESPACE": f"knowledge-{uuid.uuid4()}"}
    outputs: list[str] = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            done = here(env, *shlex.split(line)[1:])
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            outputs.append(done.stdout)
    stored, now, then, history = outputs
    assert "4 new" in stored
    assert "Ada lives in Lyon" in now
    assert "-WORKS_ON-> Engine" in now
    assert "Lyon" not in then
    assert '"content":"Ada lives in Lyon","source":"letter"' in history
