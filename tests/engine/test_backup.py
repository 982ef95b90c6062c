"""Moving a database between folders, as a restore does."""

from pathlib import Path

import pytest

from legacymind.engine import Engine
from legacymind.engine.backup import Backups, move_database
from legacymind.errors import EngineError, InvalidInput
from legacymind.settings import Settings

PARTS = (Path("databases", "neo4j"), Path("transactions", "neo4j"))


def made(folder: Path) -> Path:
    for part in PARTS:
        (folder / part).mkdir(parents=True)
        (folder / part / "file").write_text(str(part))
    (folder / "databases" / "system").mkdir()
    return folder


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.anyio
async def test_a_folder_that_does_not_exist_is_refused_before_anything_else(tmp_path: Path) -> None:
    backups = Backups(Engine(Settings(home=str(tmp_path / "home"))))
    with pytest.raises(InvalidInput, match="there is no such folder"):
        await backups.back_up(tmp_path / "absent" / "memory.backup")
    with pytest.raises(EngineError, match="no database yet"):
        await backups.back_up(tmp_path / "memory.backup")


def test_a_database_is_moved_without_the_system_database(tmp_path: Path) -> None:
    source, target = made(tmp_path / "data"), tmp_path / "aside"
    move_database(source, target)
    assert names(source) == {"databases", "databases/system"}
    assert [(target / part / "file").read_text() for part in PARTS] == [str(part) for part in PARTS]


def test_a_move_that_fails_half_way_leaves_the_database_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = made(tmp_path / "data"), tmp_path / "aside"
    target.mkdir()
    before = names(source)
    rename = Path.rename

    def failing(self: Path, to: Path) -> Path:
        if self == source / PARTS[1]:
            raise PermissionError(13, "Permission denied")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(PermissionError):
        move_database(source, target)
    assert names(source) == before
    assert names(target) == set()
    target.rmdir()  # as the restore does, which keeps no empty folder
