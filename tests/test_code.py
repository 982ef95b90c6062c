"""Rules of the code: one direction of imports, one style, complete types, and documented public names."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = ("legacymind", "tests", "bench", "scripts")
MODULES = sorted((ROOT / "legacymind").rglob("*.py"))


def passes(*command: str) -> None:
    """Run a tool of this environment over the whole repository."""
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, f"{ran.stdout[-4000:]}\n{ran.stderr[-2000:]}"


def tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


@pytest.mark.quality
@pytest.mark.limit(600)
def test_data_goes_one_way_through_the_rooms() -> None:
    passes(tool("lint-imports"), "--no-cache", "--config", "pyproject.toml")


@pytest.mark.quality
@pytest.mark.limit(600)
def test_ruff_finds_nothing() -> None:
    passes(sys.executable, "-m", "ruff", "check", "--no-cache", *CODE)


@pytest.mark.quality
@pytest.mark.limit(600)
def test_everything_is_formatted() -> None:
    passes(sys.executable, "-m", "ruff", "format", "--no-cache", "--check", *CODE)


@pytest.mark.quality
@pytest.mark.limit(600)
def test_all_types_are_complete(tmp_path: Path) -> None:
    # The configuration names .venv; the tests may run in another environment.
    (tmp_path / ".venv").symlink_to(sys.prefix)
    passes(sys.executable, "-m", "basedpyright", "--venvpath", str(tmp_path))


def undocumented(module: Path) -> Iterator[str]:
    """The public names of a module without a docstring; names with an underscore are private."""
    where = module.relative_to(ROOT).as_posix()
    source = module.read_text(encoding="utf-8")
    tree = ast.parse(source)
    if source.strip() and ast.get_docstring(tree) is None:
        yield where

    def below(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[str]:
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                overloaded = any("overload" in ast.unparse(one) for one in child.decorator_list)
                if child.name.startswith("_") or overloaded:
                    continue
                if ast.get_docstring(child) is None:
                    yield f"{prefix}{child.name}"
                if isinstance(child, ast.ClassDef):
                    yield from below(child, f"{prefix}{child.name}.")

    yield from below(tree, f"{where}: ")


def test_everything_public_has_a_docstring() -> None:
    assert [name for module in MODULES for name in undocumented(module)] == []


def named_types(module: Path) -> Iterator[str]:
    """The public classes of a module and its names for other types; not the annotations of parameters."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, ast.unparse(node.value)
            if name[0].isupper() and not name.isupper() and not value.startswith(("Annotated[", "TypeVar")):
                yield name


def test_the_name_of_a_type_has_one_meaning() -> None:
    """Rows, stored nodes and results may share a name, and so may what is thought and what is read."""
    rooms = [m for m in MODULES if "db" not in m.parts and m.name not in ("ogm.py", "stored.py")]
    found = Counter(name for module in rooms for name in named_types(module) if not name.startswith("_"))
    assert {name for name, times in found.items() if times > 1} == {"Thought"}


def test_no_module_is_too_long() -> None:
    lengths = {
        m.relative_to(ROOT).as_posix(): len(m.read_text(encoding="utf-8").splitlines()) for m in MODULES
    }
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_the_graphql_folder_is_no_package() -> None:
    """A package would shadow graphql-core."""
    assert not list((ROOT / "graphql").rglob("__init__.py"))
