"""Generates clients in Python and TypeScript from the schema and the examples, as docs/graphql.md says.

Run ``python -m tests.clients.generated``. It installs the generators into a temporary folder, and checks that
the Python client can be imported with a method for each operation, and the types of the TypeScript one.
Without Node.js, the TypeScript client is left out.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

from legacymind import files

_DOCS: Final = Path(__file__).parents[2] / "docs" / "graphql.md"

_NODE: Final = 20
"""The first version of Node.js with which the generator works."""


def config(kind: str) -> str:
    """The configuration in a block of the page."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", _DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return found


def run(folder: Path, *command: str | Path) -> str:
    """Run a command, and return its output."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def names(folder: Path) -> list[str]:
    """The names of the operations."""
    texts = [path.read_text(encoding="utf-8") for path in (folder / "operations").rglob("*.graphql")]
    found = re.findall(r"^(?:query|mutation|subscription) (\w+)", "\n".join(texts), re.MULTILINE)
    if len(found) != len(texts):
        raise SystemExit("An example has no operation with a name.")
    return found


def python_client(folder: Path) -> str:
    """Generate the Python client, and compare its methods with the operations."""
    folder.joinpath("pyproject.toml").write_text(config("toml"), encoding="utf-8")
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    run(folder, scripts / "pip", "install", "-q", "ariadne-codegen[subscriptions]~=0.19.0")
    run(folder, scripts / "ariadne-codegen")
    shown = run(folder, scripts / "python", "-c", "import memory_client as c; print(*dir(c.Client))")
    methods = {method.replace("_", "") for method in shown.split()}
    operations = names(folder)
    missing = sorted(name for name in operations if name.lower() not in methods)
    if missing:
        raise SystemExit(f"The Python client has no methods {missing}.")
    return f"Python: {len(operations)} operations"


def typescript_client(folder: Path) -> str:
    """Generate the TypeScript client, and check its types."""
    node = shutil.which("node")
    version = run(folder, node, "--version").strip() if node else "none"
    npm, npx = shutil.which("npm"), shutil.which("npx")
    if npm is None or npx is None or int((re.findall(r"\d+", version) or ["0"])[0]) < _NODE:
        return (
            f"TypeScript: left out, because it needs Node.js {_NODE} or later and this machine has {version}"
        )
    folder.joinpath("package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    folder.joinpath("codegen.json").write_text(config("json"), encoding="utf-8")
    packages = ("graphql@16", "typescript@5", "@graphql-codegen/cli@7", "@graphql-codegen/client-preset@6")
    run(folder, npm, "install", "--silent", "--no-audit", "--no-fund", *packages)
    run(folder, npx, "graphql-codegen", "--config", "codegen.json")
    options = "--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2022"
    run(folder, npx, "tsc", *options.split(), "memory/index.ts")
    return f"TypeScript: {len(names(folder))} operations"


def main() -> None:
    """Generate and check both."""
    with tempfile.TemporaryDirectory(prefix="legacymind-clients-") as name:
        folder = Path(name)
        shutil.copy(files.path("graphql", "schema.graphql"), folder)
        shutil.copytree(files.path("graphql", "operations"), folder / "operations")
        print(python_client(folder), flush=True)
        print(typescript_client(folder), flush=True)


if __name__ == "__main__":
    main()
