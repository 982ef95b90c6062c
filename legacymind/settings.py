"""Every setting, in one table: its name, default, variable and help.

The fields of ``Settings`` are that table. A value comes from the default, over it from
``legacymind.toml``, over it from the environment. The README's table is made from this one.
"""

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

import platformdirs

from legacymind.errors import ConfigurationError


def _setting(default: Any, section: str, variable: str, help: str, *, secret: bool = False) -> Any:
    # repr=False keeps a secret out of every log line that prints the settings.
    return field(
        default=default,
        repr=not secret,
        metadata={"section": section, "variable": variable, "help": help, "secret": secret},
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a process of LegacyMind is configured with; read once, by ``load``."""

    # [system]: where things are
    neo4j_uri: str = _setting(
        "", "system", "NEO4J_URI", "Address of a Neo4j to use; empty: the managed engine of `home`."
    )
    neo4j_username: str = _setting("neo4j", "system", "NEO4J_USERNAME", "User at `neo4j_uri`.")
    neo4j_password: str = _setting("", "system", "NEO4J_PASSWORD", "Password at `neo4j_uri`.", secret=True)
    neo4j_database: str = _setting("neo4j", "system", "NEO4J_DATABASE", "Database at `neo4j_uri`.")
    namespace: str = _setting(
        "default", "system", "LEGACYMIND_NAMESPACE", "Namespace of a call that names none."
    )
    home: str = _setting(
        "", "system", "LEGACYMIND_HOME", "Folder of the managed engine's data; one engine per home."
    )
    cache: str = _setting(
        "", "system", "LEGACYMIND_CACHE", "Folder of what was downloaded, shared between homes."
    )
    embedding_provider: str = _setting(
        "minilm", "system", "LEGACYMIND_EMBEDDING_PROVIDER", "Where vectors come from: `minilm`."
    )

    # [engine]: the managed Neo4j
    bolt_port: int = _setting(0, "engine", "LEGACYMIND_BOLT_PORT", "Bolt port; 0: 7687, or a free one.")
    http_port: int = _setting(0, "engine", "LEGACYMIND_HTTP_PORT", "Browser port; 0: 7474, or a free one.")
    heap_mb: int = _setting(0, "engine", "LEGACYMIND_HEAP_MB", "Java heap in MiB; 0: fitted to the machine.")
    page_cache_mb: int = _setting(
        0, "engine", "LEGACYMIND_PAGE_CACHE_MB", "Neo4j's page cache in MiB; 0: fitted to the machine."
    )
    start_timeout: float = _setting(
        120.0, "engine", "LEGACYMIND_START_TIMEOUT", "Seconds to wait for the engine to answer."
    )

    # [runtime]: how operations behave
    tags: str = _setting(
        "plan,debug,dx,photography,idea", "runtime", "LEGACYMIND_TAGS", "Tags kept, by comma; `*`: all."
    )
    chain_key: str = _setting(
        "",
        "runtime",
        "LEGACYMIND_CHAIN_KEY",
        "Secret that new chain steps are keyed with (HMAC).",
        secret=True,
    )
    chain_key_id: str = _setting(
        "k1", "runtime", "LEGACYMIND_CHAIN_KEY_ID", "Name of `chain_key`; another for another key."
    )
    chain_old_keys: str = _setting(
        "",
        "runtime",
        "LEGACYMIND_CHAIN_OLD_KEYS",
        "Earlier keys, still verifying: `ID=KEY` by comma.",
        secret=True,
    )
    query_timeout: float = _setting(
        30.0, "runtime", "LEGACYMIND_QUERY_TIMEOUT", "Seconds until the server ends a statement."
    )
    max_relation_types: int = _setting(
        1000,
        "runtime",
        "LEGACYMIND_MAX_RELATION_TYPES",
        "Types of relations that users may name in one database; Neo4j ends at 65,536.",
    )
    embed_threads: int = _setting(
        0, "runtime", "LEGACYMIND_EMBED_THREADS", "Threads of the local model; 0: half the cores, at least 1."
    )
    serve_host: str = _setting("127.0.0.1", "runtime", "LEGACYMIND_SERVE_HOST", "Address that `serve` binds.")
    serve_port: int = _setting(8787, "runtime", "LEGACYMIND_SERVE_PORT", "Port that `serve` binds.")

    # [retrieval]: what comes to mind
    t1: float | None = _setting(
        None, "retrieval", "LEGACYMIND_INJECT_T1", "Knowledge threshold at scale 1; unset: the model's."
    )
    t2: float | None = _setting(
        None, "retrieval", "LEGACYMIND_INJECT_T2", "Knowledge threshold at scale 2; unset: the model's."
    )
    t3: float | None = _setting(
        None, "retrieval", "LEGACYMIND_INJECT_T3", "Knowledge threshold from scale 3; unset: the model's."
    )
    floor: float | None = _setting(
        None, "retrieval", "LEGACYMIND_INJECT_FLOOR", "Fallback threshold; unset: the model's."
    )
    submode_tuning: bool = _setting(
        True, "retrieval", "LEGACYMIND_SUBMODE_RETRIEVAL", "Whether a submode moves the thresholds."
    )

    @property
    def home_path(self) -> Path:
        """The folder of the managed engine's data."""
        return Path(self.home).expanduser() if self.home else Path(platformdirs.user_data_dir("legacymind"))

    @property
    def cache_path(self) -> Path:
        """The folder of everything downloaded."""
        if self.cache:
            return Path(self.cache).expanduser()
        return Path(platformdirs.user_cache_dir("legacymind"))


def _convert(name: str, kind: object, value: object, *, secret: bool) -> Any:
    """A value from TOML or the environment as the field's type."""
    try:
        if kind is bool:
            if isinstance(value, bool):
                return value
            lowered = str(value).strip().lower()
            if lowered in {"1", "true", "yes", "on"}:
                return True
            if lowered in {"0", "false", "no", "off"}:
                return False
            raise ValueError
        if kind is int:
            return int(str(value))
        if kind is float or kind == float | None:
            number = float(str(value))
            if not math.isfinite(number):
                raise ValueError
            return number
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError  # str() would take a list or a date as well
        return str(value)
    except ValueError:
        raise ConfigurationError(
            f"The setting {name} cannot be {'what was given' if secret else repr(str(value)[:80])}.",
            do=f"Give it a value of type {getattr(kind, '__name__', kind)}.",
        ) from None


def load(environ: Mapping[str, str] | None = None, toml: Path | None = None) -> Settings:
    """Read the settings: defaults, then ``legacymind.toml``, then the environment.

    The file is ``$LEGACYMIND_CONFIG``, else ``legacymind.toml`` in the working folder.
    Raises ConfigurationError for a file that cannot be read, an unknown key or a bad value.
    """
    environ = os.environ if environ is None else environ
    named = toml or (Path(environ["LEGACYMIND_CONFIG"]) if environ.get("LEGACYMIND_CONFIG") else None)
    values: dict[str, Any] = {}
    known = {f.name: f for f in fields(Settings)}
    for section, keys in _read_toml(named).items():
        for key, value in keys.items():
            if key not in known or known[key].metadata["section"] != section:
                raise ConfigurationError(
                    f"legacymind.toml has an unknown key [{section}] {key}.",
                    do="Remove it, or look its name up in the README's table of settings.",
                )
            values[key] = _convert(key, known[key].type, value, secret=known[key].metadata["secret"])
    for name, f in known.items():
        given = environ.get(f.metadata["variable"])
        if given:
            values[name] = _convert(f.metadata["variable"], f.type, given, secret=f.metadata["secret"])
    return Settings(**values)


def _read_toml(named: Path | None) -> dict[str, dict[str, Any]]:
    file = named or Path("legacymind.toml")
    if named is None and not file.exists():
        return {}
    try:
        parsed = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        raise ConfigurationError(
            f"The configuration file {file} cannot be read: {reason}.", do="Mend or remove it."
        ) from reason
    for section, keys in parsed.items():
        if not isinstance(keys, dict):
            raise ConfigurationError(
                f"legacymind.toml has {section!r} outside a section.",
                do="Put it under [system], [engine], [runtime] or [retrieval].",
            )
    return cast("dict[str, dict[str, Any]]", parsed)


def table() -> str:
    """The settings as the README's Markdown table."""
    lines = ["| variable | in legacymind.toml | default | what it is |", "|---|---|---|---|"]
    for f in fields(Settings):
        shown = str(f.default).lower() if f.type is bool else str(f.default)
        default = "" if f.default in ("", None) else f"`{shown}`"
        variable, section, what = (f.metadata[name] for name in ("variable", "section", "help"))
        lines.append(f"| `{variable}` | `[{section}] {f.name}` | {default} | {what} |")
    return "\n".join(lines)
