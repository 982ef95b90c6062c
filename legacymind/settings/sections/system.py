"""The settings of ``[system]``."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from legacymind.settings.kinds import NOT_BOOL, Folder, ModelOrFolder, Namespace, Text
from legacymind.settings.setting import setting

_setting = partial(setting, "system")


@dataclass(frozen=True, kw_only=True)
class System:
    """Where memories, downloads and models are."""

    neo4j_uri: Text = _setting(
        "", "NEO4J_URI", "Address of a Neo4j server. Empty: the managed engine in `home`."
    )
    neo4j_username: Text = _setting("neo4j", "NEO4J_USERNAME", "User name at `neo4j_uri`.")
    neo4j_password: Text = _setting("", "NEO4J_PASSWORD", "Password at `neo4j_uri`.", secret=True)
    neo4j_database: Text = _setting("neo4j", "NEO4J_DATABASE", "Database at `neo4j_uri`.")
    neo4j_ca_file: Text = _setting(
        "",
        "LEGACYMIND_NEO4J_CA_FILE",
        "PEM file of the authority that signed the certificate of `neo4j_uri`. Empty: the authorities of the "
        "system.",
    )
    namespace: Namespace = _setting(
        "default", "LEGACYMIND_NAMESPACE", "Namespace of calls that do not specify one."
    )
    namespace_fixed: bool = _setting(
        False,
        "LEGACYMIND_NAMESPACE_FIXED",
        "Refuse calls that specify another namespace than `namespace`.",
    )
    home: Folder = _setting(
        "",
        "LEGACYMIND_HOME",
        "Folder with the data of the managed engine; each folder has its own engine. Empty: the user's data "
        "folder.",
    )
    cache: Folder = _setting(
        "",
        "LEGACYMIND_CACHE",
        "Folder for downloads, shared by all homes. Empty: the user's cache folder.",
    )
    embedding_provider: Literal["minilm", "e5", "fastembed", "openai"] = _setting(
        "minilm",
        "LEGACYMIND_EMBEDDING_PROVIDER",
        "Source of the vectors. `minilm`, `e5` and `fastembed` run on this machine.",
    )
    embedding_model: Text = _setting(
        "",
        "LEGACYMIND_EMBEDDING_MODEL",
        "Model of the provider. Empty: the provider's default model.",
    )
    embedding_model_path: Folder = _setting(
        "",
        "LEGACYMIND_EMBEDDING_MODEL_PATH",
        "Folder with an ONNX model and its tokenizer for `fastembed`. Empty: the model is downloaded.",
    )
    embedding_dimensions: Annotated[int, Field(ge=0, le=4096), NOT_BOOL] = _setting(
        0, "LEGACYMIND_EMBED_DIM", "Dimensions of the vectors. 0: the model's own number."
    )

    reranker: ModelOrFolder = _setting(
        "",
        "LEGACYMIND_RERANKER",
        "Cross-encoder that orders the best hits of a search again: a model of `fastembed`, or a folder with "
        "an ONNX model and its tokenizer. Empty: none.",
    )
