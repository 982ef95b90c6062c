"""Moving a database between folders, as a restore does."""

from pathlib import Path

import pytest

from legacymind.engine.backup import move_database

PARTS = (Path("databases", "neo4j"), Path("transactions", "neo4j"))


def made(folder: Path) -> Path:
    for part in PARTS:
        (folder / part).mkdir(parents=True)
        (folder / part / "file").write_text(str(part))
    (folder / "databases" / "system").mkdir()
    return folder


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


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
