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
    neo4j_ca_file: str = _setting(
        "",
        "system",
        "LEGACYMIND_NEO4J_CA_FILE",
        "PEM file of who signed the certificate at `neo4j_uri`; empty: the system's authorities.",
    )
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
        "minilm",
        "system",
        "LEGACYMIND_EMBEDDING_PROVIDER",
        "Where vectors come from: `minilm` or `fastembed`, on this machine, or `openai`.",
    )
    embedding_model: str = _setting(
        "", "system", "LEGACYMIND_EMBEDDING_MODEL", "The provider's model; empty: the provider's default."
    )
    embedding_model_path: str = _setting(
        "",
        "system",
        "LEGACYMIND_EMBEDDING_MODEL_PATH",
        "Folder of a model for `fastembed` (ONNX and tokenizer); empty: the hub's.",
    )
    embedding_dimensions: int = _setting(
        0, "system", "LEGACYMIND_EMBED_DIM", "Dimensions of the vectors; 0: as many as the model gives."
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
    openai_api_key: str = _setting(
        "", "runtime", "OPENAI_API_KEY", "Key of the provider `openai`.", secret=True
    )
    openai_base_url: str = _setting(
        "",
        "runtime",
        "OPENAI_BASE_URL",
        "Address of a server that speaks OpenAI's embeddings API; empty: OpenAI's own.",
    )
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
    verify_topk: int = _setting(
        50, "runtime", "LEGACYMIND_VERIFY_TOPK", "Pieces of knowledge that a hypothesis is held against."
    )
    verify_min_sim: float | None = _setting(
        None,
        "runtime",
        "LEGACYMIND_VERIFY_MIN_SIM",
        "Least cosine of evidence; unset: the model's knowledge threshold of scale 2.",
    )
    verify_evidence_limit: int = _setting(
        10, "runtime", "LEGACYMIND_VERIFY_EVIDENCE_LIMIT", "Evidence shown and kept, for and against each."
    )
    persist_verification: bool = _setting(
        True, "runtime", "LEGACYMIND_PERSIST_VERIFICATION", "Whether a verification stays with its thought."
    )
    think_enhance: bool = _setting(
        True, "runtime", "LEGACYMIND_THINK_ENHANCE", "Whether frameworks analyse what is thought."
    )
    query_timeout: float = _setting(
        30.0, "runtime", "LEGACYMIND_QUERY_TIMEOUT", "Seconds until the server ends a statement."
    )
    retry_time: float = _setting(
        30.0,
        "runtime",
        "LEGACYMIND_RETRY_TIME",
        "Seconds for which a call goes on when the server restarts or a leader changes.",
    )
    connect_timeout: float = _setting(
        10.0, "runtime", "LEGACYMIND_CONNECT_TIMEOUT", "Seconds until a server has to take a connection."
    )
    pool_size: int = _setting(
        100,
        "runtime",
        "LEGACYMIND_POOL_SIZE",
        "Connections of one process to each server at most; at least 2.",
    )
    pool_timeout: float = _setting(
        30.0, "runtime", "LEGACYMIND_POOL_TIMEOUT", "Seconds that a call waits for a free connection."
    )
    max_relation_types: int = _setting(
        1000,
        "runtime",
        "LEGACYMIND_MAX_RELATION_TYPES",
        "Types of relations that users may name in one database; Neo4j ends at 65,536.",
    )
    on_embedder_down: str = _setting(
        "error",
        "runtime",
        "LEGACYMIND_ON_EMBEDDER_DOWN",
        "`error`: nothing is stored; `defer`: thoughts and knowledge are stored, and embedded later.",
    )
    embed_threads: int = _setting(
        0, "runtime", "LEGACYMIND_EMBED_THREADS", "Threads of the local model; 0: half the cores, at least 1."
    )
    embed_rps: float = _setting(
        0.0,
        "runtime",
        "LEGACYMIND_EMBED_RPS",
        "Requests a second to `openai` at most, retries counted; 0: no limit.",
    )
    embed_batch: int = _setting(
        128, "runtime", "LEGACYMIND_EMBED_BATCH", "Texts in one request to `openai` at most."
    )
    embed_window: int = _setting(
        8000,
        "runtime",
        "LEGACYMIND_EMBED_WINDOW",
        "Bytes of a text that `openai` sees at once; of a longer one windows are pooled.",
    )
    embed_query_prefix: str = _setting(
        "",
        "runtime",
        "LEGACYMIND_EMBED_QUERY_PREFIX",
        "What stands before a question; empty: what the model is known to want.",
    )
    embed_passage_prefix: str = _setting(
        "",
        "runtime",
        "LEGACYMIND_EMBED_PASSAGE_PREFIX",
        "What stands before a stored text; empty: what the model is known to want.",
    )
    cache_max: int = _setting(
        5000,
        "runtime",
        "LEGACYMIND_CACHE_MAX",
        "Vectors of texts seen before that are kept in memory; 0: none.",
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
    candidates: int = _setting(
        500,
        "retrieval",
        "LEGACYMIND_KG_CANDIDATES",
        "Most candidates that one recall looks at, of each kind.",
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
            hint=f"Give it a value of type {getattr(kind, '__name__', kind)}.",
        ) from None


def load_settings(environ: Mapping[str, str] | None = None, toml: Path | None = None) -> Settings:
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
                    hint="Remove it, or look its name up in the README's table of settings.",
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
            f"The configuration file {file} cannot be read: {reason}.", hint="Mend or remove it."
        ) from reason
    for section, keys in parsed.items():
        if not isinstance(keys, dict):
            raise ConfigurationError(
                f"legacymind.toml has {section!r} outside a section.",
                hint="Put it under [system], [engine], [runtime] or [retrieval].",
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
