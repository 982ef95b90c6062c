"""Reads the settings from the configuration file and the environment."""

import logging
import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from pydantic_settings import EnvSettingsSource, TomlConfigSettingsSource

from legacymind.errors import ConfigurationError
from legacymind.settings.describe import Sources
from legacymind.settings.table import TABLE, Settings
from legacymind.trust import named_file, sources_of

_OURS: Final = "LEGACYMIND_"
_OTHERS: Final = ("LEGACYMIND_CONFIG", "LEGACYMIND_USER", "LEGACYMIND_SYNC_TOKEN", "LEGACYMIND_TEST_")
"""What variables that are no settings begin with: the file, who types, a token, and what the tests read."""

_log = logging.getLogger(__name__)


def load_settings(environ: Mapping[str, str] | None = None, toml: Path | None = None) -> Settings:
    """Read the settings: defaults, then the configuration file, then environment variables.

    ``environ`` replaces ``os.environ``. The file is ``toml``, else ``$LEGACYMIND_CONFIG``, else
    ``legacymind.toml`` in the working folder if it exists. An empty environment variable counts as unset,
    except that of the namespace: a blank one is an error, because memories would silently be in another.
    Raises ConfigurationError that lists an unreadable file, or every unknown key and invalid value. A
    variable with our prefix that is no setting is a warning in the log.

    A project that the user does not trust (``legacymind.trust``) sets only what the table lets a project set;
    a warning names what was ignored.
    """
    sources = _sources(os.environ if environ is None else environ, toml)
    for sentence in _said(sources):
        _warn_once(sentence)
    return Settings(sources, **sources.values)  # pyright: ignore[reportCallIssue]  # its own __init__


def ignored() -> list[str]:
    """What files of projects set and may not, in sentences."""
    return _said(_sources(os.environ))


def _sources(environ: Mapping[str, str], toml: Path | None = None) -> Sources:
    sources = Sources()
    file, may_set_all = (toml, True) if toml else named_file(environ)
    _read_file(sources, file, may_set_all)
    _read_environment(sources, environ)
    return sources


def _said(sources: Sources) -> list[str]:
    return [
        f"{file} sets what a project may set only if you trust it: {', '.join(sorted(names))}. "
        "That is ignored. If you wrote the file or read it, run `legacymind trust` in its folder."
        for file, names in sources.ignored.items()
    ]


def _read_file(sources: Sources, file: Path | None, may_set_all: bool) -> None:
    """Add the values of the configuration file; a key that is not a setting of its section is a problem."""
    if file is None:
        return
    try:
        # TomlConfigSettingsSource ignores a file that does not exist.
        with file.open("rb"):
            parsed = TomlConfigSettingsSource(Settings, toml_file=file).toml_data
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        raise ConfigurationError(
            f"The configuration file {file} cannot be read: {_reason(reason)}.",
            hint="Correct or remove the file.",
        ) from reason
    sections = {entry.name: entry.section for entry in TABLE.values()}
    allowed = {entry.name for entry in TABLE.values() if may_set_all or entry.project}
    for section, keys in parsed.items():
        if not isinstance(keys, dict):
            sources.problems.append(
                f"`{section}` must be inside a section: [system], [engine], [runtime] or [retrieval]."
            )
            continue
        for key, value in cast("dict[str, Any]", keys).items():
            if sections.get(key) == section and key not in allowed:
                sources.ignored.setdefault(file.resolve(), set()).add(f"{section}.{key}")
            elif sections.get(key) == section:
                sources.values[key], sources.labels[key] = value, f"{section}.{key}"
            elif key in sections:
                sources.problems.append(f"`{section}.{key}` must be in the section [{sections[key]}].")
            else:
                sources.problems.append(f"`{section}.{key}` is not a setting.")


def _reason(raised: OSError | UnicodeDecodeError | tomllib.TOMLDecodeError) -> str:
    if isinstance(raised, UnicodeDecodeError):
        return "it is not UTF-8"
    return (raised.strerror or "it cannot be opened") if isinstance(raised, OSError) else str(raised)


def _read_environment(sources: Sources, environ: Mapping[str, str]) -> None:
    """Add the values of environment variables, over those of the file."""
    guarded = {entry.variable for entry in TABLE.values() if not entry.project} | {"LEGACYMIND_CONFIG"}
    foreign = sources_of({name: environ[name] for name in guarded if environ.get(name)})
    for name, file in foreign.items():
        sources.ignored.setdefault(file, set()).add(name)
    source = EnvSettingsSource(Settings, case_sensitive=True, env_ignore_empty=True)
    source.env_vars = {name: value for name, value in environ.items() if value and name not in foreign}
    values = source()
    if environ.get("LEGACYMIND_NAMESPACE") == "":
        values["LEGACYMIND_NAMESPACE"] = ""
    known = {entry.variable for entry in TABLE.values()}
    for name in sorted(environ):
        if name.startswith(_OURS) and not name.startswith(_OTHERS) and name not in known:
            near = next(iter(get_close_matches(name, known)), None)
            _warn_once(f"The variable {name} has no effect.{f' Do you mean {near}?' if near else ''}")
    for entry in TABLE.values():
        if entry.variable in values:
            sources.values[entry.name], sources.labels[entry.name] = values[entry.variable], entry.variable


@cache
def _warn_once(sentence: str) -> None:
    _log.warning("%s", sentence)
