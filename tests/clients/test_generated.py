"""Typed clients, generated from the schema and the examples as docs/interfaces/graphql.md says."""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from legacymind import files
from tests.clients.npm import installed, run
from tests.packages import uv

pytestmark = [pytest.mark.node, pytest.mark.limit(600)]

_DOCS: Final = Path(__file__).parents[2] / "docs" / "interfaces/graphql.md"

_PACKAGES: Final = "graphql@16", "typescript@5", "@graphql-codegen/cli@7", "@graphql-codegen/client-preset@6"


def config(kind: str) -> str:
    """The configuration in a block of the page."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", _DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the schema and the examples."""
    shutil.copy(files.path("graphql", "schema.graphql"), tmp_path)
    shutil.copytree(files.path("graphql", "operations"), tmp_path / "operations")
    return tmp_path


@pytest.fixture
def names(folder: Path) -> list[str]:
    """The names of the examples."""
    texts = [path.read_text(encoding="utf-8") for path in (folder / "operations").rglob("*.graphql")]
    found = re.findall(r"^(?:query|mutation|subscription) (\w+)", "\n".join(texts), re.MULTILINE)
    assert len(found) == len(texts)
    return found


def test_ariadne_codegen_makes_a_python_client_with_a_method_for_each_example(
    folder: Path, names: list[str]
) -> None:
    # Its own packages: it needs other releases of graphql-core and ruff than this environment has.
    uv(
        "pip",
        "install",
        "--target",
        folder / "packages",
        "ariadne-codegen[subscriptions]~=0.19.0",
        cwd=folder,
    )
    (folder / "pyproject.toml").write_text(config("toml"), encoding="utf-8")
    with_them = {"PYTHONPATH": str(folder / "packages")}
    run(folder, sys.executable, "-m", "ariadne_codegen", **with_them)
    shown = run(folder, sys.executable, "-c", "import memory_client as c; print(*dir(c.Client))", **with_them)
    methods = {method.replace("_", "") for method in shown.split()}
    assert {name.lower() for name in names} - methods == set()


@pytest.fixture
def codegen(pytestconfig: pytest.Config) -> Path:
    """The packages of graphql-codegen, 120 MB, which pytest's cache keeps for the next run."""
    return installed(pytestconfig, "graphql-codegen", *_PACKAGES)


def test_graphql_codegen_makes_typescript_documents_that_compile(
    folder: Path, names: list[str], codegen: Path
) -> None:
    (folder / "node_modules").symlink_to(codegen)
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    (folder / "codegen.json").write_text(config("json"), encoding="utf-8")
    run(folder, codegen / ".bin/graphql-codegen", "--config", "codegen.json")
    made = (folder / "memory" / "graphql.ts").read_text(encoding="utf-8")
    assert [name for name in names if f"export const {name}Document" not in made] == []
    options = "--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2022"
    run(folder, codegen / ".bin/tsc", *options.split(), "memory/index.ts")
