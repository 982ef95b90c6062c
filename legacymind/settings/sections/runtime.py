"""The settings of ``[runtime]``."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from legacymind.settings.kinds import NOT_BOOL, Count, Port, Positive, Seconds, Text
from legacymind.settings.setting import setting

_setting = partial(setting, "runtime")


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """The behaviour of operations."""

    openai_api_key: Text = _setting("", "OPENAI_API_KEY", "API key for the provider `openai`.", secret=True)
    openai_base_url: Text = _setting(
        "",
        "OPENAI_BASE_URL",
        "Base URL of a server with OpenAI's embeddings API. Empty: OpenAI's server.",
    )
    tags: Text = _setting(
        "*",
        "LEGACYMIND_TAGS",
        "Tags that thoughts may keep, separated by commas; others are dropped. `*`: all tags.",
    )
    chain_key: Text = _setting(
        "",
        "LEGACYMIND_CHAIN_KEY",
        "Secret key (HMAC) for new chain steps. Empty: no key.",
        secret=True,
    )
    chain_key_id: Text = _setting(
        "k1", "LEGACYMIND_CHAIN_KEY_ID", "Name of `chain_key`; a new key needs a new name."
    )
    chain_old_keys: Text = _setting(
        "",
        "LEGACYMIND_CHAIN_OLD_KEYS",
        "Earlier keys, which still verify their steps: `ID=KEY`, separated by commas.",
        secret=True,
    )
    verify_topk: Annotated[int, Field(ge=1, le=500), NOT_BOOL] = _setting(
        50, "LEGACYMIND_VERIFY_TOPK", "Number of records that a hypothesis is compared with."
    )
    verify_min_sim: Annotated[float, Field(ge=-1, le=1), NOT_BOOL] | None = _setting(
        None,
        "LEGACYMIND_VERIFY_MIN_SIM",
        "Smallest cosine similarity of evidence. Unset: the model's knowledge threshold at scale 2.",
    )
    verify_evidence_limit: Count = _setting(
        10,
        "LEGACYMIND_VERIFY_EVIDENCE_LIMIT",
        "Pieces of evidence to return and store, for and against each.",
    )
    persist_verification: bool = _setting(
        True,
        "LEGACYMIND_PERSIST_VERIFICATION",
        "Store the result of a hypothesis test with its thought.",
    )
    think_enhance: bool = _setting(
        True, "LEGACYMIND_THINK_ENHANCE", "Analyse thoughts with cognitive frameworks."
    )
    query_timeout: Seconds = _setting(
        30.0, "LEGACYMIND_QUERY_TIMEOUT", "Seconds after which the server ends a statement."
    )
    retry_time: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        30.0,
        "LEGACYMIND_RETRY_TIME",
        "Seconds that a call spends on retries while a server restarts or a cluster elects a leader. "
        "The time for which a server was silent counts.",
    )
    connect_timeout: Seconds = _setting(
        10.0,
        "LEGACYMIND_CONNECT_TIMEOUT",
        "Seconds within which a server must accept a connection.",
    )
    pool_size: Annotated[int, Field(ge=2), NOT_BOOL] = _setting(
        100, "LEGACYMIND_POOL_SIZE", "Largest number of connections of one process to each server."
    )
    pool_timeout: Seconds = _setting(
        30.0,
        "LEGACYMIND_POOL_TIMEOUT",
        "Seconds that a call waits for its turn, and then for a free connection.",
    )
    max_statements: Count = _setting(
        0,
        "LEGACYMIND_MAX_STATEMENTS",
        "Statements and local embeddings of one process that run at once. 0: four for each core of this "
        "machine.",
    )
    max_waiting: Count = _setting(
        100,
        "LEGACYMIND_MAX_WAITING",
        "Calls of one process that wait for their turn. Further ones are refused as `busy`.",
    )
    max_subscriptions: Count = _setting(
        1000,
        "LEGACYMIND_MAX_SUBSCRIPTIONS",
        "GraphQL subscriptions that one process of `serve` keeps open. Further ones are refused as `busy`.",
    )
    max_relation_types: Annotated[int, Field(ge=0, le=65_536), NOT_BOOL] = _setting(
        1000,
        "LEGACYMIND_MAX_RELATION_TYPES",
        "Largest number of relation types that users may create in one database. Neo4j's limit is 65,536.",
    )
    on_embedder_down: Literal["error", "defer"] = _setting(
        "error",
        "LEGACYMIND_ON_EMBEDDER_DOWN",
        "When the embedder fails, `error` stores nothing; `defer` stores thoughts and knowledge and embeds "
        "them later.",
    )
    adopt_interval: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        10.0,
        "LEGACYMIND_ADOPT_INTERVAL",
        "Seconds between searches of `serve` and `mcp` for nodes made by hand. 0: none, nor by commands.",
    )
    warn_thought_bytes: Count = _setting(
        32_768,
        "LEGACYMIND_WARN_THOUGHT_BYTES",
        "Bytes of a thought above which the result of think has a warning. 0: none, here and below.",
    )
    warn_memories: Count = _setting(
        50, "LEGACYMIND_WARN_MEMORIES", "Recalled memories above which think warns."
    )
    warn_relationships: Count = _setting(
        1_000,
        "LEGACYMIND_WARN_RELATIONSHIPS",
        "Relationships of one thought, the new one or a recalled one, above which think warns.",
    )
    warn_nodes: Count = _setting(
        1_000_000,
        "LEGACYMIND_WARN_NODES",
        "Nodes of the database above which think warns.",
    )
    old_vectors_days: Annotated[float, Field(ge=0, le=3650), NOT_BOOL] = _setting(
        7.0,
        "LEGACYMIND_OLD_VECTORS_DAYS",
        "Days after a switch to another embedding model until `serve`, `mcp`, `up` and `maintain --apply` "
        "drop the old vectors. 0: never by themselves.",
    )
    embed_threads: Count = _setting(
        0,
        "LEGACYMIND_EMBED_THREADS",
        "Threads of the local model. 0: half the number of cores, at least 1, for one text, all for many.",
    )
    embed_rps: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        0.0,
        "LEGACYMIND_EMBED_RPS",
        "Largest number of requests per second to `openai`, retries included. 0: no limit.",
    )
    embed_batch: Positive = _setting(
        128, "LEGACYMIND_EMBED_BATCH", "Largest number of texts in one request to `openai`."
    )
    embed_window: Annotated[int, Field(ge=64), NOT_BOOL] = _setting(
        8000,
        "LEGACYMIND_EMBED_WINDOW",
        "Bytes of text that `openai` embeds at once. A longer text is split, and its vectors are pooled.",
    )
    embed_query_prefix: Text = _setting(
        "",
        "LEGACYMIND_EMBED_QUERY_PREFIX",
        "Prefix for queries. Empty: the model's documented prefix.",
    )
    embed_passage_prefix: Text = _setting(
        "",
        "LEGACYMIND_EMBED_PASSAGE_PREFIX",
        "Prefix for stored texts. Empty: the model's documented prefix.",
    )
    cache_max: Count = _setting(
        5000, "LEGACYMIND_CACHE_MAX", "Vectors of recent texts to keep in memory. 0: none."
    )
    serve_host: Text = _setting(
        "127.0.0.1",
        "LEGACYMIND_SERVE_HOST",
        "Address on which `serve` listens. One that other machines reach requires a token.",
    )
    serve_port: Port = _setting(
        8787, "LEGACYMIND_SERVE_PORT", "Port on which `serve` listens. 0: any free port."
    )
    serve_hosts: Text = _setting(
        "",
        "LEGACYMIND_SERVE_HOSTS",
        "Further names of the server in the Host header, separated by commas, such as those of a proxy. With "
        "any, requests need a token.",
    )
    serve_origins: Text = _setting(
        "",
        "LEGACYMIND_SERVE_ORIGINS",
        "Origins of web pages that may call `serve`, separated by commas, such as `http://localhost:3000`.",
    )
    serve_rate: Annotated[float, Field(ge=0), NOT_BOOL] = _setting(
        200.0,
        "LEGACYMIND_SERVE_RATE",
        "Requests per second of one token, or of one address without token; ten seconds' worth may come at "
        "once. 0: no limit.",
    )
    serve_max_answer: Annotated[int, Field(ge=2**20), NOT_BOOL] = _setting(
        16 * 2**20,
        "LEGACYMIND_SERVE_MAX_ANSWER",
        "Most bytes of the answer to a GraphQL query, or of an event of a subscription.",
    )

    log_format: Literal["text", "json"] = _setting(
        "text",
        "LEGACYMIND_LOG_FORMAT",
        "Logs of `serve`: warnings as text, or all as JSON with a line for each request, without content.",
    )

    oauth_issuer: Text = _setting(
        "",
        "LEGACYMIND_OAUTH_ISSUER",
        "Authorization server whose access tokens `serve` accepts (docs/server.md). Empty: none.",
    )
    oauth_resource: Text = _setting(
        "",
        "LEGACYMIND_OAUTH_RESOURCE",
        "Audience of these tokens: the address of `/mcp` for clients, such as "
        "`https://memory.example.com/mcp`.",
    )
    otlp_endpoint: Text = _setting(
        "",
        "LEGACYMIND_OTLP_ENDPOINT",
        "Where `serve` sends its spans: a collector's address for OTLP over HTTP, such as "
        "`http://127.0.0.1:4318/v1/traces`. Empty: nowhere.",
    )
