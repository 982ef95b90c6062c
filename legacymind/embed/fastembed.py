"""Any text model of fastembed, on this machine: from the hub, or from a folder."""

import asyncio
import difflib
import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from legacymind.embed import fastembed_files, known
from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.embed.local import FirstUse, LocalModel, Runner
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding

DEFAULT_MODEL = "BAAI/bge-small-en-v1.5"

# Changes when vectors would no longer compare with those of before: with the way of pooling windows, or with
# a fastembed that pools a model differently (pyproject.toml holds it to one minor version for that).
_VERSION = "1-w1"

# Made for questions alone, about passages that another model has embedded.
_QUESTIONS_ONLY = ("qdrant/constella-zero", "qdrant/constella-nano")

# Where the ONNX file of a model that fastembed has no entry for may lie in its folder.
_ONNX = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")

_registering = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Custom:
    """What fastembed must be told of a model that it has no entry for."""

    pooling: str  # MEAN, CLS or LAST_TOKEN
    file: str


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    dimensions: int
    custom: _Custom | None = None
    size: int = 0  # bytes to download, about


class FastEmbed:
    """``BAAI/bge-small-en-v1.5`` unless told otherwise, on one thread of its own; an Embedder.

    A model comes from the hub at the first ``fetch`` or use and is kept in the cache folder; or it is read
    from ``embedding_model_path``, then without any network: the files of one of fastembed's models, or of
    any sentence-transformers model as ONNX with its tokenizer. Passages and questions get the prefixes that
    the model wants (``known.prefixes``, or the settings). Longer texts than the model sees, or than 512
    tokens, are cut and pooled. fastembed itself is imported by the first use of ``info`` or ``embed``.
    """

    def __init__(self, settings: Settings) -> None:
        self._model = settings.embedding_model or DEFAULT_MODEL
        self._folder = (
            Path(settings.embedding_model_path).expanduser() if settings.embedding_model_path else None
        )
        self._wanted = settings.embedding_dimensions
        self._cache = settings.cache_path / "models" / "fastembed"
        own = known.prefixes(self._model)
        self._prefixes = (
            settings.embed_passage_prefix or own.passage,
            settings.embed_query_prefix or own.query,
        )
        self._runner = Runner("fastembed", self._load, settings.embed_threads)
        self._first_use = FirstUse(self.fetch)
        self._found: tuple[_Entry, EmbedderInfo] | None = None

    @property
    def thresholds(self) -> Thresholds:
        """The model's: measured for all-MiniLM-L6-v2, a fair guess for others."""
        return known.thresholds(self._model)

    @property
    def info(self) -> EmbedderInfo:
        """What is kept with every vector; raises ConfigurationError for a model there is not."""
        return self._look_up()[1]

    async def fetch(self, progress: Progress | None = None) -> None:
        """Have the model's files in the cache; raises DownloadFailed or ConfigurationError."""
        entry, _ = await asyncio.to_thread(self._look_up)
        if self._folder is None:
            await fastembed_files.fetch(entry.name, entry.size, self._cache, progress)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector for each text, in order; raises EmbeddingError or ConfigurationError.

        The first call loads the model, and downloads it when nobody has called ``fetch``.
        """
        if not texts:
            return []
        if not self._runner.loaded:
            await self._first_use.wait()
        try:
            return await self._runner.embed(texts, query=query)
        except Exception as reason:
            where = self._folder or self._cache
            raise EmbeddingError(
                f"The embedding model {self._model} failed: {' '.join(str(reason).split())[:300]}.",
                hint=f"If it does so for every text, look at the model's files in {where}.",
            ) from reason

    async def close(self) -> None:
        """Nothing to let go of."""

    def _load(self, threads: int) -> LocalModel:
        entry, info = self._look_up()
        encoder = _open(entry, self._cache, self._folder, threads)
        model = LocalModel(encoder, self._prefixes)
        (vector,) = model.vectors(["."], query=False)
        if len(vector) != info.dimensions:
            raise ValueError(f"it gives {len(vector)} dimensions, not {info.dimensions}")
        return model

    def _look_up(self) -> tuple[_Entry, EmbedderInfo]:
        if self._found is None:
            entry, digest = self._entry()
            if self._wanted not in (0, entry.dimensions):
                raise ConfigurationError(
                    f"{entry.name} gives {entry.dimensions} dimensions, and {self._wanted} are configured.",
                    hint=f"Unset LEGACYMIND_EMBED_DIM, or set it to {entry.dimensions}.",
                )
            info = EmbedderInfo(
                provider="fastembed",
                model=entry.name,
                version=known.version(_VERSION, digest, self._prefixes[0]),
                dimensions=entry.dimensions,
                tokenizer="own",
                normalized=True,
            )
            self._found = entry, info
        return self._found

    def _entry(self) -> tuple[_Entry, str]:
        """The model, and what tells a folder's files from others."""
        named = {model.name.lower(): model for model in _supported()}
        known_model = named.get(self._model.lower())
        if self._folder is not None:
            return _in_folder(self._folder, self._model, known_model, self._wanted)
        if known_model is None:
            near = difflib.get_close_matches(self._model.lower(), named, n=3, cutoff=0.4)
            same = [name for name in named if name.endswith(f"/{self._model.lower().rsplit('/', 1)[-1]}")]
            names = ", ".join(named[name].name for name in dict.fromkeys([*same, *near])) or DEFAULT_MODEL
            raise ConfigurationError(
                f"fastembed has no model {self._model[:80]!r}.",
                hint=f"Set LEGACYMIND_EMBEDDING_MODEL to one it has, such as {names}; or "
                "LEGACYMIND_EMBEDDING_MODEL_PATH to a folder with the model.",
            )
        if known_model.name.lower() in _QUESTIONS_ONLY:
            raise ConfigurationError(
                f"{known_model.name} embeds questions alone, and memories are to be stored.",
                hint="Set LEGACYMIND_EMBEDDING_MODEL to another, such as Qdrant/stella-en-400M-v5-doc-onnx.",
            )
        return _Entry(known_model.name, known_model.dimensions, size=known_model.size), ""


class _Supported(NamedTuple):
    name: str
    dimensions: int
    file: str
    size: int


def _supported() -> list[_Supported]:
    """Every text model that fastembed has."""
    from fastembed import TextEmbedding

    _quiet()
    models: list[dict[str, Any]] = TextEmbedding.list_supported_models()
    return [
        _Supported(model["model"], model["dim"], model["model_file"], round(model["size_in_GB"] * 1e9))
        for model in models
    ]


def _quiet() -> None:
    """fastembed logs to stderr what we say in errors of our own."""
    from loguru import logger

    logger.disable("fastembed")


def _in_folder(folder: Path, name: str, entry: _Supported | None, wanted: int) -> tuple[_Entry, str]:
    candidates = (entry.file,) if entry else _ONNX
    file = next((each for each in candidates if (folder / each).is_file()), None)
    if not folder.is_dir():
        raise ConfigurationError(
            f"LEGACYMIND_EMBEDDING_MODEL_PATH names {folder}, which is no folder.",
            hint="Point it at a folder with the ONNX model, tokenizer.json and tokenizer_config.json.",
        )
    if file is None or not (folder / "tokenizer.json").is_file():
        lacking = "tokenizer.json" if file else " or ".join(candidates)
        # With no name given it is the default model's files that are looked for.
        other = " For another model than that, set LEGACYMIND_EMBEDDING_MODEL to a name of your own."
        raise ConfigurationError(
            f"LEGACYMIND_EMBEDDING_MODEL_PATH has no {name} that can be used: {folder} lacks {lacking}.",
            hint="Point it at a folder with the ONNX model, tokenizer.json and tokenizer_config.json."
            + (other if entry and file is None else ""),
        )
    digest = hashlib.sha256()
    for each in (file, "tokenizer.json"):
        with (folder / each).open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    if entry:
        return _Entry(entry.name, entry.dimensions), f"f{digest.hexdigest()[:12]}"
    pooling, dimensions = _pooling(folder)
    if not (wanted or dimensions):
        raise ConfigurationError(
            f"The dimensions of the model in {folder} are not known.",
            hint="Set LEGACYMIND_EMBED_DIM to them.",
        )
    digest.update(pooling.encode())
    return _Entry(name, wanted or dimensions, _Custom(pooling, file)), f"f{digest.hexdigest()[:12]}"


def _pooling(folder: Path) -> tuple[str, int]:
    """How a sentence-transformers model pools, CLS, MEAN or LAST_TOKEN, and its dimensions or 0."""
    told = _json(folder / "1_Pooling" / "config.json")
    way = "MEAN"
    if told.get("pooling_mode_cls_token"):
        way = "CLS"
    elif told.get("pooling_mode_lasttoken"):
        way = "LAST_TOKEN"
    found = told.get("word_embedding_dimension") or _json(folder / "config.json").get("hidden_size")
    return way, found if isinstance(found, int) else 0


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _open(entry: _Entry, cache: Path, folder: Path | None, threads: int) -> "TextEmbedding":
    from fastembed import TextEmbedding

    name = entry.name if entry.custom is None else _registered(entry, entry.custom)
    options: dict[str, Any] = {"specific_model_path": str(folder)} if folder else {"local_files_only": True}
    # A static model has no threads, and warns when it is told of them.
    if not name.lower().startswith("minishlab/potion"):
        options |= {"threads": threads, "cuda": False}
    return TextEmbedding(name, cache_dir=str(cache), **options)


def _registered(entry: _Entry, told: _Custom) -> str:
    """The name under which fastembed knows a model of one's own: registering twice is an error there."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"local/{entry.name}/{told.pooling}/{told.file}/{entry.dimensions}"
    with _registering:
        if name.lower() not in {model.name.lower() for model in _supported()}:
            TextEmbedding.add_custom_model(
                model=name,
                pooling=PoolingType[told.pooling],
                normalization=True,
                sources=ModelSource(hf="none/none"),  # one is asked for, and never used with a folder
                dim=entry.dimensions,
                model_file=told.file,
            )
    return name
