"""The architecture page has every room, and every path and name in it and in CONTRIBUTING.md exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = "".join(
    (ROOT / page).read_text(encoding="utf-8")
    for page in ("docs/reference/architecture.md", "CONTRIBUTING.md")
)
ROOMS = re.findall(r"^\| `(legacymind/[^`]+)` \|", TEXT, re.MULTILINE)
FOLDERS = "legacymind|cypher|graphql|tests|bench|docs|seed|scripts"
PATHS = sorted({path for path in re.findall(rf"`((?:{FOLDERS})/[\w./*-]*)`", TEXT) if "*" not in path})
FILES = re.findall(r"`(\w+)`(?: and `\w+`)? in\s+`(legacymind/[\w/]+\.py)`", TEXT)
COMMANDS = sorted(set(re.findall(r"python -m ([\w.]+)", TEXT)) - {"pytest"})


def rooms() -> set[str]:
    """The packages of the code, which are its rooms."""
    folders = {file.parent.relative_to(ROOT) for file in (ROOT / "legacymind").rglob("*.py")}
    inner = {"legacymind", "legacymind/services", "legacymind/doors"}
    return {folder.as_posix() for folder in folders} - inner


def test_every_package_is_a_room_of_the_table_once() -> None:
    assert len(ROOMS) == len(set(ROOMS))
    assert rooms() <= set(ROOMS)


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("name", "file"), FILES)
def test_every_name_is_in_its_file(name: str, file: str) -> None:
    assert re.search(rf"\b{name}\b", (ROOT / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", COMMANDS)
def test_every_command_is_a_module(module: str) -> None:
    assert (ROOT / f"{module.replace('.', '/')}.py").is_file()


def test_every_folder_of_statements_or_tests_is_that_of_a_service_or_named() -> None:
    services = {room.rpartition("/")[2] for room in ROOMS}
    for folder in [*(ROOT / "cypher").iterdir(), *(ROOT / "tests" / "services").iterdir()]:
        if folder.is_dir() and not folder.name.startswith(("_", ".")):
            assert folder.name in services or f"`{folder.relative_to(ROOT).as_posix()}`" in TEXT
