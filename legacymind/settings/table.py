"""All settings in one table: name, default, range, environment variable and help.

The fields of ``Settings`` are the table, and ``describe`` derives the ranges from their types. The README's
table is generated from it by ``scripts/update_readme.py``.
"""

from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.dataclasses import dataclass

from legacymind.settings.describe import Sources, invalid, problems
from legacymind.settings.kinds import (
    NOT_BOOL,
    Cosines,
    Count,
    Folder,
    ModelOrFolder,
    Most,
    Namespace,
    Pools,
    Port,
    Positive,
    Seconds,
    Text,
    Threshold,
    Weights,
)


def _setting(default: Any, section: str, variable: str, help: str, *, secret: bool = False) -> Any:
    # repr=False keeps secrets out of logs that print the settings.
    return field(
        default=default,
        repr=not secret,
        metadata={"section": section, "variable": variable, "help": help, "secret": secret},
    )


@dataclass(
    frozen=True,
    kw_only=True,
    slots=True,
    config=ConfigDict(allow_inf_nan=False, coerce_numbers_to_str=True, extra="forbid"),
)
class Settings:
    """The configuration of a process.

    ``load_settings`` reads it from the file and the environment; ``Settings(...)`` reads neither.
    ``dataclasses.replace`` makes a changed copy. Raises ConfigurationError that lists every invalid setting.
    """

    # [system]: locations
    neo4j_uri: Text = _setting(
        "", "system", "NEO4J_URI", "Address of a Neo4j server. Empty: the managed engine in `home`."
    )
    neo4j_username: Text = _setting("neo4j", "system", "NEO4J_USERNAME", "User name at `neo4j_uri`.")
    neo4j_password: Text = _setting("", "system", "NEO4J_PASSWORD", "Password at `neo4j_uri`.", secret=True)
    neo4j_database: Text = _setting("neo4j", "system", "NEO4J_DATABASE", "Database at `neo4j_uri`.")
    neo4j_ca_file: Text = _setting(
        "",
        "system",
        "LEGACYMIND_NEO4J_CA_FILE",
        "PEM file of the authority that signed the certificate of `neo4j_uri`. Empty: the authorities of the "
        "system.",
    )
    namespace: Namespace = _setting(
        "default", "system", "LEGACYMIND_NAMESPACE", "Namespace of calls that do not specify one."
    )
    namespace_fixed: bool = _setting(
        False,
        "system",
        "LEGACYMIND_NAMESPACE_FIXED",
        "Refuse calls that specify another namespace than `namespace`.",
    )
    home: Folder = _setting(
        "",
        "system",
        "LEGACYMIND_HOME",
        "Folder with the data of the managed engine; each folder has its own engine. Empty: the user's data "
        "folder.",
    )
    cache: Folder = _setting(
        "",
        "system",
        "LEGACYMIND_CACHE",
        "Folder for downloads, shared by all homes. Empty: the user's cache folder.",
    )
    embedding_provider: Literal["minilm", "e5", "fastembed", "openai"] = _setting(
        "minilm",
        "system",
        "LEGACYMIND_EMBEDDING_PROVIDER",
        "Source of the vectors. `minilm`, `e5` and `fastembed` run on this machine.",
    )
    embedding_model: Text = _setting(
        "",
        "system",
        "LEGACYMIND_EMBEDDING_MODEL",
        "Model of the provider. Empty: the provider's default model.",
    )
    embedding_model_path: Folder = _setting(
        "",
        "system",
        "LEGACYMIND_EMBEDDING_MODEL_PATH",
        "Folder with an ONNX model and its tokenizer for `fastembed`. Empty: the model is downloaded.",
    )
    embedding_dimensions: Annotated[int, Field(ge=0, le=4096), NOT_BOOL] = _setting(
        0, "system", "LEGACYMIND_EMBED_DIM", "Dimensions of the vectors. 0: the model's own number."
    )

    reranker: ModelOrFolder = _setting(
        "",
        "system",
        "LEGACYMIND_RERANKER",
        "Cross-encoder that orders the best hits of a search again: a model of `fastembed`, or a folder with "
        "an ONNX model and its tokenizer. Empty: none.",
    )

    # [engine]: the managed Neo4j
    bolt_port: Port = _setting(
        0, "engine", "LEGACYMIND_BOLT_PORT", "Port for Bolt. 0: 7687 if free, else any free port."
    )
    http_port: Port = _setting(
        0, "engine", "LEGACYMIND_HTTP_PORT", "Port for Neo4j Browser. 0: 7474 if free, else any free port."
    )
    heap_mb: Count = _setting(
        0,
        "engine",
        "LEGACYMIND_HEAP_MB",
        "Size of the Java heap in MiB. 0: chosen by the machine's memory.",
    )
    page_cache_mb: Count = _setting(
        0,
        "engine",
        "LEGACYMIND_PAGE_CACHE_MB",
        "Size of Neo4j's page cache in MiB. 0: chosen by the machine's memory.",
    )
    start_timeout: Seconds = _setting(
        120.0, "engine", "LEGACYMIND_START_TIMEOUT", "Seconds to wait for the engine to start."
    )

    # [runtime]: behaviour of operations
    openai_api_key: Text = _setting(
        "", "runtime", "OPENAI_API_KEY", "API key for the provider `openai`.", secret=True
    )
    openai_base_url: Text = _setting(
        "",
        "runtime",
        "OPENAI_BASE_URL",
        "Base URL of a server with OpenAI's embeddings API. Empty: OpenAI's server.",
    )
    tags: Text = _setting(
        "*",
        "runtime",
        "LEGACYMIND_TAGS",
        "Tags that thoughts may keep, separated by commas; others are dropped. `*`: all tags.",
    )
    chain_key: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_CHAIN_KEY",
        "Secret key (HMAC) for new chain steps. Empty: no key.",
        secret=True,
    )
    chain_key_id: Text = _setting(
        "k1", "runtime", "LEGACYMIND_CHAIN_KEY_ID", "Name of `chain_key`; a new key needs a new name."
    )
    chain_old_keys: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_CHAIN_OLD_KEYS",
        "Earlier keys, which still verify their steps: `ID=KEY`, separated by commas.",
        secret=True,
    )
    verify_topk: Annotated[int, Field(ge=1, le=500), NOT_BOOL] = _setting(
        50, "runtime", "LEGACYMIND_VERIFY_TOPK", "Number of records that a hypothesis is compared with."
    )
    verify_min_sim: Annotated[float, Field(ge=-1, le=1), NOT_BOOL] | None = _setting(
        None,
        "runtime",
        "LEGACYMIND_VERIFY_MIN_SIM",
        "Smallest cosine similarity of evidence. Unset: the model's knowledge threshold at scale 2.",
    )
    verify_evidence_limit: Count = _setting(
        10,
        "runtime",
        "LEGACYMIND_VERIFY_EVIDENCE_LIMIT",
        "Pieces of evidence to return and store, for and against each.",
    )
    persist_verification: bool = _setting(
        True,
        "runtime",
        "LEGACYMIND_PERSIST_VERIFICATION",
        "Store the result of a hypothesis test with its thought.",
    )
    think_enhance: bool = _setting(
        True, "runtime", "LEGACYMIND_THINK_ENHANCE", "Analyse thoughts with cognitive frameworks."
    )
    query_timeout: Seconds = _setting(
        30.0, "runtime", "LEGACYMIND_QUERY_TIMEOUT", "Seconds after which the server ends a statement."
    )
    retry_time: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        30.0,
        "runtime",
        "LEGACYMIND_RETRY_TIME",
        "Seconds that a call spends on retries while a server restarts or a cluster elects a leader.",
    )
    connect_timeout: Seconds = _setting(
        10.0,
        "runtime",
        "LEGACYMIND_CONNECT_TIMEOUT",
        "Seconds within which a server must accept a connection.",
    )
    pool_size: Annotated[int, Field(ge=2), NOT_BOOL] = _setting(
        100, "runtime", "LEGACYMIND_POOL_SIZE", "Largest number of connections of one process to each server."
    )
    pool_timeout: Seconds = _setting(
        30.0,
        "runtime",
        "LEGACYMIND_POOL_TIMEOUT",
        "Seconds that a call waits for its turn, and then for a free connection.",
    )
    max_statements: Count = _setting(
        0,
        "runtime",
        "LEGACYMIND_MAX_STATEMENTS",
        "Statements and local embeddings of one process that run at once. 0: four for each core of this "
        "machine.",
    )
    max_waiting: Count = _setting(
        100,
        "runtime",
        "LEGACYMIND_MAX_WAITING",
        "Calls of one process that wait for their turn. Further ones are refused as `busy`.",
    )
    max_relation_types: Annotated[int, Field(ge=0, le=65_536), NOT_BOOL] = _setting(
        1000,
        "runtime",
        "LEGACYMIND_MAX_RELATION_TYPES",
        "Largest number of relation types that users may create in one database. Neo4j's limit is 65,536.",
    )
    on_embedder_down: Literal["error", "defer"] = _setting(
        "error",
        "runtime",
        "LEGACYMIND_ON_EMBEDDER_DOWN",
        "When the embedder fails, `error` stores nothing; `defer` stores thoughts and knowledge and embeds "
        "them later.",
    )
    adopt_interval: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        10.0,
        "runtime",
        "LEGACYMIND_ADOPT_INTERVAL",
        "Seconds between searches of `serve` and `mcp` for nodes made by hand. 0: none, nor by commands.",
    )
    plan_ahead: bool = _setting(
        True,
        "runtime",
        "LEGACYMIND_PLAN_AHEAD",
        "Have Neo4j plan statements in the background after a start, so that no call waits for it.",
    )
    embed_threads: Count = _setting(
        0,
        "runtime",
        "LEGACYMIND_EMBED_THREADS",
        "Threads of the local model. 0: half the number of cores, at least 1, for one text, all for many.",
    )
    embed_rps: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        0.0,
        "runtime",
        "LEGACYMIND_EMBED_RPS",
        "Largest number of requests per second to `openai`, retries included. 0: no limit.",
    )
    embed_batch: Positive = _setting(
        128, "runtime", "LEGACYMIND_EMBED_BATCH", "Largest number of texts in one request to `openai`."
    )
    embed_window: Annotated[int, Field(ge=64), NOT_BOOL] = _setting(
        8000,
        "runtime",
        "LEGACYMIND_EMBED_WINDOW",
        "Bytes of text that `openai` embeds at once. A longer text is split, and its vectors are pooled.",
    )
    embed_query_prefix: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_EMBED_QUERY_PREFIX",
        "Prefix for queries. Empty: the model's documented prefix.",
    )
    embed_passage_prefix: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_EMBED_PASSAGE_PREFIX",
        "Prefix for stored texts. Empty: the model's documented prefix.",
    )
    cache_max: Count = _setting(
        5000, "runtime", "LEGACYMIND_CACHE_MAX", "Vectors of recent texts to keep in memory. 0: none."
    )
    serve_host: Text = _setting(
        "127.0.0.1",
        "runtime",
        "LEGACYMIND_SERVE_HOST",
        "Address on which `serve` listens. One that other machines reach requires a token.",
    )
    serve_port: Port = _setting(
        8787, "runtime", "LEGACYMIND_SERVE_PORT", "Port on which `serve` listens. 0: any free port."
    )
    serve_hosts: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_SERVE_HOSTS",
        "Further names of the server in the Host header, separated by commas, such as those of a proxy. With "
        "any, requests need a token.",
    )
    serve_origins: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_SERVE_ORIGINS",
        "Origins of web pages that may call `serve`, separated by commas, such as `http://localhost:3000`.",
    )
    serve_rate: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        200.0,
        "runtime",
        "LEGACYMIND_SERVE_RATE",
        "Requests per second of one token, or of one address without token; ten seconds' worth may come at "
        "once. 0: no limit.",
    )

    log_format: Literal["text", "json"] = _setting(
        "text",
        "runtime",
        "LEGACYMIND_LOG_FORMAT",
        "Logs of `serve`: warnings as text, or all as JSON with a line for each request, without content.",
    )

    oauth_issuer: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_OAUTH_ISSUER",
        "Authorization server whose access tokens `serve` accepts (docs/server.md). Empty: none.",
    )
    oauth_resource: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_OAUTH_RESOURCE",
        "Audience of these tokens: the address of `/mcp` for clients, such as "
        "`https://memory.example.com/mcp`.",
    )
    otlp_endpoint: Text = _setting(
        "",
        "runtime",
        "LEGACYMIND_OTLP_ENDPOINT",
        "Where `serve` sends its spans: a collector's address for OTLP over HTTP, such as "
        "`http://127.0.0.1:4318/v1/traces`. Empty: nowhere.",
    )

    # [retrieval]: what a thought recalls
    t1: Threshold | None = _setting(
        None,
        "retrieval",
        "LEGACYMIND_INJECT_T1",
        "Least similarity of knowledge at scale 1. Unset: relatedness decides.",
    )
    t2: Threshold | None = _setting(
        None,
        "retrieval",
        "LEGACYMIND_INJECT_T2",
        "Least similarity of knowledge at scale 2. Unset: relatedness decides.",
    )
    t3: Threshold | None = _setting(
        None,
        "retrieval",
        "LEGACYMIND_INJECT_T3",
        "Least similarity of knowledge from scale 3. Unset: relatedness decides.",
    )
    floor: Threshold | None = _setting(
        None,
        "retrieval",
        "LEGACYMIND_INJECT_FLOOR",
        "Similarity that counts as unrelated, and least similarity of the fallback. Unset: the model's.",
    )
    thought_thresholds: Cosines = _setting(
        "",
        "retrieval",
        "LEGACYMIND_THOUGHT_THRESHOLDS",
        "Least similarity of thoughts, such as `.8,.75,.7,.65,.6`. Empty: relatedness decides. "
        "`; MODE=…` adds numbers for one mode, here and below.",
    )
    thoughts_k: Most = _setting(
        "2,5,8,12,20", "retrieval", "LEGACYMIND_RECALL_THOUGHTS", "Largest number of thoughts to recall."
    )
    knowledge_k: Most = _setting(
        "5,10,20,20,20",
        "retrieval",
        "LEGACYMIND_RECALL_KNOWLEDGE",
        "Largest number of entities and observations to recall.",
    )
    pools: Pools = _setting(
        "40,40,40,60,60",
        "retrieval",
        "LEGACYMIND_RECALL_POOLS",
        "Number of thoughts found by vector, and as many by full text, that recall ranks.",
    )
    weights: Weights = _setting(
        "question=.55,.25,.15,.05,3; conclude=.55,.25,.15,.05,3; plan=.45,.1,.35,.1,14; "
        "build=.5,.05,.35,.1,21; debug=.6,.1,.2,.1,30; stuck=.6,.1,.2,.1,30",
        "retrieval",
        "LEGACYMIND_RECALL_WEIGHTS",
        "Weights of relevance, recency, salience and access in a score, and the days in which recency "
        "decays to 1/e.",
    )
    candidates: Positive = _setting(
        500,
        "retrieval",
        "LEGACYMIND_KG_CANDIDATES",
        "Largest number of candidates of each kind that one recall considers.",
    )
    beyond_window: bool = _setting(
        True,
        "retrieval",
        "LEGACYMIND_BEYOND_WINDOW",
        "Recall at most two thoughts from before the window at scales 1 to 3 if they are the most relevant.",
    )
    mass_weight: Annotated[float, Field(ge=0, le=1), NOT_BOOL] = _setting(
        0.0,
        "retrieval",
        "LEGACYMIND_MASS_WEIGHT",
        "Weight of the mass that `legacymind analyze` computes in the ranking of searches. 0: not used.",
    )
    rerank_candidates: Annotated[int, Field(ge=2, le=100), NOT_BOOL] = _setting(
        30,
        "retrieval",
        "LEGACYMIND_RERANK_CANDIDATES",
        "Number of the best hits of a search that `reranker` orders again.",
    )
    submode_tuning: bool = _setting(
        True, "retrieval", "LEGACYMIND_SUBMODE_RETRIEVAL", "Let a submode adjust the thresholds."
    )

    @property
    def home_path(self) -> Path:
        """The folder with the data of the managed engine."""
        return Path(self.home).expanduser() if self.home else Path(platformdirs.user_data_dir("legacymind"))

    @property
    def cache_path(self) -> Path:
        """The folder for downloads."""
        if self.cache:
            return Path(self.cache).expanduser()
        return Path(platformdirs.user_cache_dir("legacymind"))

    @model_validator(mode="wrap")
    @classmethod
    def _validate(cls, values: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        """Raise one ConfigurationError for all problems; ``info.context`` holds the Sources, if any."""
        sources = info.context if isinstance(info.context, Sources) else Sources()
        faults = list(sources.problems)
        settings = None
        try:
            settings = handler(values)
        except ValidationError as error:
            faults += problems(cls, error, sources.labels)
        if settings is None or faults:
            raise invalid(faults)
        return settings
