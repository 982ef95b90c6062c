"""All settings in one table: name, default, range, environment variable and help.

``describe`` derives the ranges from the types. ``scripts/update_docs.py`` writes the table in
docs/operation/settings.md.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, Self, cast

import platformdirs
from pydantic import AliasGenerator, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from legacymind.origins import LeftOut
from legacymind.settings.describe import Sources, invalid, problems
from legacymind.settings.kinds import (
    NOT_BOOL,
    Count,
    Folder,
    Most,
    Namespace,
    NotNegative,
    Port,
    Positive,
    Seconds,
    Text,
    Threshold,
    Weights,
)


class SettingEntry(NamedTuple):
    """A row of the table. ``variable`` is the environment variable, ``section`` that of legacymind.toml.

    ``project``: the file of a project that the user does not trust may set it; nothing that names a server, a
    key, a program or a path, and nothing that weakens what is checked or stored.
    """

    name: str
    section: str
    variable: str
    default: Any
    help: str
    secret: bool
    project: bool


_VARIABLES: Final = {
    **{name: name.upper() for name in ("neo4j_uri", "neo4j_username", "neo4j_password", "neo4j_database")},
    **{name: name.upper() for name in ("openai_api_key", "openai_base_url")},
    **{name: f"LEGACYMIND_INJECT_{name.upper()}" for name in ("t1", "t2", "t3", "floor")},
    "embedding_dimensions": "LEGACYMIND_EMBED_DIM",
    "thoughts_k": "LEGACYMIND_RECALL_THOUGHTS",
    "knowledge_k": "LEGACYMIND_RECALL_KNOWLEDGE",
    "weights": "LEGACYMIND_RECALL_WEIGHTS",
    "candidates": "LEGACYMIND_KG_CANDIDATES",
    "submode_tuning": "LEGACYMIND_SUBMODE_RETRIEVAL",
}
"""The environment variables that are not LEGACYMIND_ and the name in capitals."""


def _setting(section: str, default: Any, help: str, *, secret: bool = False, project: bool = False) -> Any:
    """A row of the table; logs print the settings, but no secret."""
    extra: dict[str, Any] = {"section": section, "secret": secret, "project": project}
    return Field(default, description=help, repr=not secret, json_schema_extra=extra)


_system, _engine, _runtime = (partial(_setting, section) for section in ("system", "engine", "runtime"))
_retrieval = partial(_setting, "retrieval", project=True)


class Settings(BaseSettings):
    """The configuration of a process.

    ``load_settings`` reads it from the file and the environment; ``Settings(...)`` reads neither. Raises
    ConfigurationError that lists every invalid setting.
    """

    model_config = SettingsConfigDict(
        alias_generator=AliasGenerator(
            validation_alias=lambda name: _VARIABLES.get(name, f"LEGACYMIND_{name.upper()}")
        ),
        populate_by_name=True,
        loc_by_alias=False,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        coerce_numbers_to_str=True,
    )

    # [system]: where memories, downloads and models are.
    neo4j_uri: Text = _system("", "Address of a Neo4j server. Empty: the managed engine in `home`.")
    neo4j_username: Text = _system("neo4j", "User name at `neo4j_uri`.")
    neo4j_password: Text = _system("", "Password at `neo4j_uri`.", secret=True)
    neo4j_database: Text = _system("neo4j", "Database at `neo4j_uri`.")
    neo4j_ca_file: Text = _system(
        "", "PEM file of the authority that signed the server's certificate. Empty: those of the system."
    )
    namespace: Namespace = _system("default", "Namespace of calls that do not specify one.", project=True)
    also_read: Text = _system(
        "", "Namespaces that reads and recall have beside their own, separated by commas."
    )
    namespace_fixed: bool = _system(False, "Refuse calls that specify another namespace.", project=True)
    home: Folder = _system(
        "", "Folder of the managed engine and its data. Each has an engine. Empty: the user's data folder."
    )
    cache: Folder = _system("", "Folder for downloads, shared by all homes. Empty: the user's cache folder.")
    embedding_provider: Literal["minilm", "e5", "use", "minilm+use", "fastembed", "openai"] = _system(
        "minilm", "Source of the vectors. All but `openai` run on this machine; `use` knows 16 languages."
    )
    embedding_model: Text = _system("", "Model of the provider. Empty: the provider's default model.")
    embedding_model_path: Folder = _system(
        "", "Folder with an ONNX model and its tokenizer for `fastembed`. Empty: the model is downloaded."
    )
    embedding_dimensions: Annotated[int, Field(ge=0, le=4096), NOT_BOOL] = _system(
        0, "Dimensions of the vectors. 0: the model's own number."
    )

    # [engine]: the managed Neo4j.
    bolt_port: Port = _engine(0, "Port for Bolt. 0: 7687 if free, else any free port.")
    http_port: Port = _engine(0, "Port for Neo4j Browser. 0: 7474 if free, else any free port.")
    heap_mb: Count = _engine(0, "Size of the Java heap in MiB. 0: chosen by the machine's memory.")
    page_cache_mb: Count = _engine(0, "Size of Neo4j's page cache in MiB. 0: chosen by the machine's memory.")

    # [runtime]: the behaviour of operations.
    openai_api_key: Text = _runtime("", "API key for the provider `openai`.", secret=True)
    openai_base_url: Text = _runtime(
        "", "Base URL of a server with OpenAI's embeddings API. Empty: OpenAI's server."
    )
    tags: Text = _runtime("*", "Tags that thoughts keep, separated by commas; others are dropped. `*`: all.")
    chain_key: Text = _runtime("", "Secret key (HMAC) for new chain steps. Empty: no key.", secret=True)
    chain_old_keys: Text = _runtime(
        "", "Earlier keys, which still verify their steps, separated by commas.", secret=True
    )
    chain_key_required: bool = _runtime(False, "Report each step without a key as a fault of the chain.")
    signing_key_file: Text = _runtime(
        "",
        "Private key (OpenSSH, Ed25519) that signs exported heads. Empty: `signing_key` in `home`, if any.",
    )
    verify_topk: Annotated[int, Field(ge=1, le=500), NOT_BOOL] = _runtime(
        50, "Number of records to compare a hypothesis with.", project=True
    )
    verify_min_sim: Annotated[float, Field(ge=-1, le=1), NOT_BOOL] | None = _runtime(
        None, "Smallest cosine similarity of evidence. Unset: the model's knowledge threshold at scale 2."
    )
    verify_evidence_limit: Count = _runtime(
        10, "Most pieces of evidence for a hypothesis, and as many against it, to return and store."
    )
    persist_verification: bool = _runtime(True, "Store the result of a hypothesis test with its thought.")
    think_enhance: bool = _runtime(True, "Analyse thoughts with cognitive frameworks.", project=True)
    prompts: Literal["keep", "private", "leave"] = _runtime(
        "keep",
        "What the hook of a prompt does with the user's words: `keep` stores them, `private` stores them for "
        "their session only, and `leave` stores none.",
    )
    leave_out: LeftOut = _runtime(
        "nothing",
        "What searches, recall, contexts and `entity` leave out: what came from `outside`, also what came by "
        "`import`, or also what an `agent` said.",
    )
    query_timeout: Seconds = _runtime(30.0, "Seconds after which Neo4j ends a statement.")
    retry_time: NotNegative = _runtime(
        30.0, "Seconds for which a call is retried while a server restarts, elects a leader or is silent."
    )
    on_embedder_down: Literal["error", "defer"] = _runtime(
        "error", "When the embedder fails, `error` stores nothing; `defer` stores, and embeds later."
    )
    adopt_interval: NotNegative | None = _runtime(
        None,
        "Seconds between two searches of `serve` and `mcp` for nodes made by hand. 0: they never search. "
        "Empty: 3600, and 0 with `neo4j_uri`, where such nodes may belong to another program.",
    )
    embed_threads: Count = _runtime(
        0, "Threads of the local model. 0: half of the cores (at least 1) for one text, all cores for many."
    )
    embed_rps: NotNegative = _runtime(
        0.0, "Largest number of requests per second to `openai`, retries included. 0: no limit."
    )
    embed_window: Annotated[int, Field(ge=64), NOT_BOOL] = _runtime(
        8000, "Bytes that `openai` embeds at once. A longer text is split, and the vectors are pooled."
    )
    embed_query_prefix: Text = _runtime("", "Prefix for queries. Empty: the model's documented prefix.")
    embed_passage_prefix: Text = _runtime("", "Prefix for stored texts. Empty: the model's.")
    cache_max: Count = _runtime(5000, "Vectors of recent texts to keep in memory. 0: none.")
    serve_host: Text = _runtime(
        "127.0.0.1", "Address of `serve`. If other machines can reach it, every request needs a token."
    )
    serve_port: Port = _runtime(8787, "Port on which `serve` listens. 0: any free port.")
    serve_hosts: Text = _runtime(
        "",
        "Further names of the server in the Host header, separated by commas, such as that of a proxy. If "
        "set, every request needs a token.",
    )
    serve_origins: Text = _runtime(
        "", "Origins of pages that may call `serve`, separated by commas, such as `http://localhost:3000`."
    )
    serve_rate: NotNegative = _runtime(
        200.0,
        "Requests per second of one token, or of one address without a token. A burst may have ten "
        "seconds' worth. 0: no limit.",
    )
    oauth_issuer: Text = _runtime(
        "", "Authorization server whose access tokens `serve` accepts (docs/operation/server.md)."
    )
    oauth_resource: Text = _runtime(
        "", "Audience of these tokens: the address of `/mcp`, such as `https://memory.example.com/mcp`."
    )
    otlp_endpoint: Text = _runtime(
        "", "Collector (OTLP over HTTP) of `serve`'s spans, such as `http://127.0.0.1:4318/v1/traces`."
    )

    # [retrieval]: what a thought recalls.
    recall: Literal["relatedness", "thresholds"] = _retrieval(
        "relatedness", "Recall by the score of the ranking, or by cosines and time windows alone."
    )
    t1: Threshold | None = _retrieval(None, "Least cosine of knowledge at scale 1, with `thresholds`.")
    t2: Threshold | None = _retrieval(None, "Least cosine of knowledge at scale 2, with `thresholds`.")
    t3: Threshold | None = _retrieval(None, "Least cosine of knowledge from scale 3, with `thresholds`.")
    floor: Threshold | None = _retrieval(
        None, "Cosine of unrelated texts, and least one of the fallback. Unset, as for t1 to t3: the model's."
    )
    thoughts_k: Most = _retrieval(
        "",
        "Largest number of thoughts to recall. Empty: `3,8,12,16,24` (with `thresholds`: `2,5,8,12,20`), "
        "and 3 in mode stuck. `; MODE=…` adds numbers for one mode, here and below.",
    )
    knowledge_k: Most = _retrieval("5,10,20,20,20", "Most entities and observations to recall.")
    weights: Weights = _retrieval(
        "question=.55,.25,.15,.05,3; conclude=.55,.25,.15,.05,3; plan=.45,.1,.35,.1,14; "
        "build=.5,.05,.35,.1,21; debug=.6,.1,.2,.1,30; stuck=.6,.1,.2,.1,30",
        "Weights of relevance, recency, salience and access, and the days after which recency is 1/e.",
    )
    candidates: Positive = _retrieval(500, "Most candidates of each kind that one recall considers.")
    submode_tuning: bool = _retrieval(True, "Let a submode adjust the thresholds.")

    @property
    def adopts_every(self) -> float:
        """Seconds between two searches for nodes made by hand; 0 for never."""
        if self.adopt_interval is None:
            return 0.0 if self.neo4j_uri else 3600.0
        return self.adopt_interval

    @property
    def home_path(self) -> Path:
        """The folder with the data of the managed engine."""
        return Path(self.home).expanduser() if self.home else Path(platformdirs.user_data_dir("legacymind"))

    @property
    def signing_key_path(self) -> Path:
        """The file with the private key that signs, which may not exist."""
        return (
            Path(self.signing_key_file).expanduser()
            if self.signing_key_file
            else self.home_path / "signing_key"
        )

    @property
    def cache_path(self) -> Path:
        """The folder for downloads."""
        if self.cache:
            return Path(self.cache).expanduser()
        return Path(platformdirs.user_cache_dir("legacymind"))

    def changed(self, **changes: Any) -> Self:
        """A checked copy with other values. Raises ConfigurationError."""
        return type(self)(**{name: getattr(self, name) for name in type(self).model_fields} | changes)

    if not TYPE_CHECKING:  # type checkers derive it from the fields

        def __init__(self, _sources: Sources | None = None, /, **values: Any) -> None:
            sources = _sources or Sources()
            faults = [*sources.problems]
            try:
                super().__init__(**values)
                _ = self.home_path, self.cache_path
            except RuntimeError:
                faults.append("This user has no home folder: set HOME, or LEGACYMIND_HOME and _CACHE.")
            except ValidationError as error:
                faults += problems(type(self), error, sources.labels)
            if faults:
                raise invalid(faults)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *others: PydanticBaseSettingsSource,
        **named: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only the arguments: ``load`` decides what a file and the environment may set."""
        return (init_settings,)


def _entry(name: str) -> SettingEntry:
    field = Settings.model_fields[name]
    extra = cast("dict[str, Any]", field.json_schema_extra)
    return SettingEntry(
        name=name,
        section=extra["section"],
        variable=cast("str", field.validation_alias),
        default=field.default,
        help=field.description or "",
        secret=extra["secret"],
        project=extra["project"],
    )


TABLE = {name: _entry(name) for name in Settings.model_fields}
"""The settings by name, in order."""
