"""What a folder's files may set: a project that was cloned names no server, key, program or path of ours.

Clients start hooks and `legacymind mcp` in the folder of a project. `legacymind trust` accepts all its
settings; the trusted folders are in the user's own config folder. Only the standard library is imported: the
hook of a prompt reads it, too.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

CONFIG_FILE: Final = "legacymind.toml"
"""Read from the working folder unless ``LEGACYMIND_CONFIG`` names another file."""

_SOURCES: Final = (
    ".env",
    ".envrc",
    ".mcp.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".vscode/mcp.json",
    ".vscode/settings.json",
)
"""Files of a project from which shells and clients take variables."""

_LARGEST: Final = 256 * 1024


def is_trusted(folder: Path) -> bool:
    """Whether the user trusted exactly this folder; the home folder is the user's own."""
    folder = folder.resolve()
    return folder == _home() or str(folder) in trusted()


def trusted() -> list[str]:
    """The folders that the user trusted."""
    file = _file()
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def trust(folder: Path, *, on: bool = True) -> None:
    """Trust a folder from now on, or no longer."""
    others = [each for each in trusted() if each != str(folder.resolve())]
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [*others, str(folder.resolve())] if on else others
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def sources_of(variables: Mapping[str, str]) -> dict[str, Path]:
    """The variables that have the very value that a file of an untrusted project gives them, with the file.

    Files of the working folder count, and of those above it, up to the home folder.
    """
    if not variables:
        return {}
    texts = [
        (file, text) for folder in _projects() if not is_trusted(folder) for file, text in _texts(folder)
    ]
    return {
        name: file
        for file, text in texts
        for name, value in variables.items()
        if name in text and (value in text or json.dumps(value)[1:-1] in text)
    }


def named_file(environ: Mapping[str, str]) -> tuple[Path | None, bool]:
    """The configuration file, if there is one, and whether it may set everything.

    That may a file which the user named, or one in a folder that the user trusts.
    """
    named = environ.get("LEGACYMIND_CONFIG")
    if named and not sources_of({"LEGACYMIND_CONFIG": named}):
        return Path(named), True
    file = Path(CONFIG_FILE)
    return (file, is_trusted(Path.cwd())) if file.exists() else (None, True)


def _projects() -> Iterator[Path]:
    here = Path.cwd()
    for folder in (here, *here.parents):
        if folder == _home():
            return
        yield folder


def _texts(folder: Path) -> Iterator[tuple[Path, str]]:
    for name in _SOURCES:
        file = folder / name
        if file.is_file():
            with file.open(encoding="utf-8", errors="replace") as opened:
                yield file, opened.read(_LARGEST)


def _home() -> Path:
    return Path(os.path.expanduser("~")).resolve()  # noqa: PTH111  # the other fails without a home


def _file() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("legacymind"), "trusted_folders")
