"""Runs the commands and the programs of a page in ``docs``."""

import re
import shlex
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

from tests.doors.cli.commands import Env, here

DOCS = Path(__file__).parents[2] / "docs"


def text(page: str) -> str:
    """The text of a page, whatever its folder."""
    (file,) = DOCS.rglob(f"{page}.md")
    return file.read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """What is below a heading of the second level, up to the next one."""
    return text(page).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def outputs(page: str, env: Env, title: str = "") -> list[str]:
    """Run every ``sh`` example of a page, or of a section, in a new namespace; return what each printed.

    A namespace ``trial`` becomes the new one. `rm` removes files of the working folder, `>` writes one, and a
    variable may stand before a command. Fails if a command has an exit code other than 0. `doctor` may have
    another one: it reports what tests of other processes have just broken in the same database.
    """
    own = f"{page}-{uuid.uuid4()}"
    env = env | {"LEGACYMIND_NAMESPACE": own}
    source = (section(page, title) if title else text(page)).replace(
        "--namespace trial", f"--namespace {own}"
    )
    printed: list[str] = []
    for block in re.findall(r"```sh\n(.*?)```", source, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line)
            if words[0] == "rm":
                for file in (Path(name) for name in words[1:] if name != "-r"):
                    shutil.rmtree(file) if file.is_dir() else file.unlink()
                continue
            given: Env = {}
            while "=" in words[0]:
                name, _, value = words.pop(0).partition("=")
                given[name] = value
            file = Path(words[-1]) if ">" in words else None
            done = here(env | given, *(words[1:-2] if file else words[1:]))
            sound = done.returncode == 0 or (words[1] == "doctor" and "connection" in done.stdout)
            assert sound, f"{line}\n{done.stdout}{done.stderr}"
            printed.append(done.stdout)
            if file is not None:
                file.write_text(done.stdout, encoding="utf-8")
    return printed


def printed_by(program: str, env: Env) -> str:
    """Run an example in Python in a new namespace; return what it printed. Fails if it has an error."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=env | {"LEGACYMIND_NAMESPACE": f"example-{uuid.uuid4()}"},
        cwd=DOCS.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
