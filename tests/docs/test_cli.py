"""The commands of docs/interfaces/cli.md run, its table is that of the code, and its completion completes."""

import re
import subprocess
from pathlib import Path

from legacymind.doors.cli.exits import Exit
from tests.docs.pages import DOCS, outputs

TEXT = (DOCS / "interfaces/cli.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(real_env: dict[str, str]) -> None:
    printed = outputs("cli", real_env)
    assert "Deploys fail whenever the cache is cold." in printed[3]
    assert "Chain intact: 3 thoughts" in printed[4]


def test_the_table_of_exit_codes_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", TEXT, re.MULTILINE)
    assert rows == [(str(code.value), code.meaning) for code in Exit]


def test_bash_completes_commands_options_and_choices(real_env: dict[str, str], tmp_path: Path) -> None:
    (line,) = re.findall(r"```bash\n(.*?)```", TEXT, re.DOTALL)
    typed = ("legacymind ver", "legacymind search --order rel", "legacymind search --own")
    completed = "".join(
        f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _legacymind_completion legacymind; "
        'echo "${COMPREPLY[*]}"; COMPREPLY=();\n'
        for words in typed
    )
    done = subprocess.run(
        ["bash", "-c", f"{line}\n{completed}"],
        env=real_env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout.splitlines(), done.returncode) == (
        ["verify", "relevance", "--own-session --own-session-id"],
        0,
    ), done.stderr
