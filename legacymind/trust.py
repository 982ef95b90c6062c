"""What a folder's files may set: a project that was cloned names no server, key, program or path of ours.

Clients start hooks and `legacymind mcp` in the folder of a project. `legacymind trust` accepts all its
settings; the trusted folders are in the user's own config folder. Only the standard library is imported: the
hook of a prompt reads it, too.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

CONFIG_FILE: Final = "legacymind.toml"
"""Read from the working folder unless ``LEGACYMIND_CONFIG`` names another file."""

_SOURCES: Final = (
    ".env",
    ".env.local",
    ".envrc",
    ".mcp.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    ".zed/settings.json",
)
"""Files of a project from which shells and clients take variables."""

_OWN: Final = (
    *("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LEGACYMIND_USER"),
)
"""Variables that say where the user's own folders are, and that a command is the user's."""

_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{3}))")
_QUOTING: Final = str.maketrans("", "", "\\\"'")


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
    given = [
        (name, folder, file)
        for folder in _projects()
        for file, text in _texts(folder)
        for name, value in variables.items()
        if _gives(text, name, _written(value))
    ]
    known = trusted() if given else []  # as a rule there are none, and a prompt waits
    return {name: file for name, folder, file in given if str(folder) not in known}


def keep_users_own() -> None:
    """Unset what files of an untrusted project say of the user's own folders, and of who types."""
    given = {name: os.environ[name] for name in _OWN if os.environ.get(name)}
    for name in sources_of(given):
        del os.environ[name]


def _gives(text: str, name: str, value: str) -> bool:
    """Whether a text gives a variable the value, or one that a shell or a client makes of other variables."""
    own = "", f"${name}", f"${{{name}"  # passed on as it is
    given = [found.rstrip("}]") for found in re.findall(rf"(?<!\w){name}(?!\w)[\s:=]*([^\s,]*)", text)]
    return bool(given) and (value in text or any(re.search("[$`]", one) and one not in own for one in given))


def _written(text: str) -> str:
    """A text without quotes, with characters in place of their escapes in JSON, TOML and shells."""
    return _ESCAPED.sub(_character, text).translate(_QUOTING)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[escape.lastindex or 0], 8 if escape[4] else 16)
    return chr(code) if code <= sys.maxunicode else ""


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
    here, home = Path.cwd(), _home()
    for folder in (here, *here.parents):
        if folder == home:
            return
        yield folder


def _texts(folder: Path) -> Iterator[tuple[Path, str]]:
    for name in _SOURCES:
        file = folder / name
        if file.is_file():
            yield file, _written(file.read_text(encoding="utf-8", errors="replace"))


def _home() -> Path:
    """The user's home: that of the variable unless a file here or above gives it, else that of the system."""
    named, here = _written(os.environ.get("HOME", "")), Path.cwd()
    texts = [text for folder in (here, *here.parents) for _, text in _texts(folder)] if named else []
    if any(_gives(text, "HOME", named) for text in texts):
        with suppress(ImportError, KeyError):
            import pwd

            return Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
    return Path(os.path.expanduser("~")).resolve()  # noqa: PTH111  # the other fails without a home


def _file() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("legacymind"), "trusted_folders")
