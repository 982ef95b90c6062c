"""The provider fastembed: any text model of fastembed, run locally, from the model hub or a folder."""

import asyncio
import difflib
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from legacymind.embed import fastembed_files, presets
from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.embed.local import ONNX_FILES, LocalEmbedder, LocalModel, open_folder, quiet
from legacymind.errors import ConfigurationError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding

DEFAULT_MODEL = "BAAI/bge-small-en-v1.5"

# Changes when new vectors are not comparable with older ones: when the pooling of windows changes, or when
# fastembed pools a model differently (pyproject.toml pins its minor version for that reason).
_VERSION = "1-w1"

# These embed only questions, about passages that another model has embedded.
_QUESTIONS_ONLY = ("qdrant/constella-zero", "qdrant/constella-nano")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A model and its ONNX file; one that fastembed does not list has a ``pooling``."""

    name: str
    dimensions: int
    file: str
    pooling: str = ""
    size: int = 0  # approximate bytes to download


class FastEmbed(LocalEmbedder):
    """An Embedder for fastembed's models, by default ``BAAI/bge-small-en-v1.5``, on a thread of its own.

    The first ``fetch`` or use downloads the model from the hub into the cache folder. With
    ``embedding_model_path`` it is read from a folder without network access: the files of a model that
    fastembed lists, or any sentence-transformers model as ONNX with its tokenizer. Passages and questions get
    the model's prefixes (``presets.prefixes``, or the settings). Texts longer than the model's input, or than
    512 tokens, are cut and pooled. The first use of ``info`` or ``embed`` imports fastembed.
    """

    def __init__(self, settings: Settings) -> None:
        model = settings.embedding_model or DEFAULT_MODEL
        self._folder = (
            Path(settings.embedding_model_path).expanduser() if settings.embedding_model_path else None
        )
        self._dimensions = settings.embedding_dimensions
        self._cache = settings.cache_path / "models" / "fastembed"
        own = presets.prefixes(model)
        self._prefixes = (
            settings.embed_passage_prefix or own.passage,
            settings.embed_query_prefix or own.query,
        )
        super().__init__(
            settings,
            provider="fastembed",
            model=model,
            remedy=f"check the model's files in {self._folder or self._cache}",
        )
        self._found: tuple[_Entry, EmbedderInfo] | None = None

    @property
    def thresholds(self) -> Thresholds:
        """The model's thresholds: measured for all-MiniLM-L6-v2, estimated for others."""
        return presets.thresholds(self._model)

    @property
    def info(self) -> EmbedderInfo:
        """The identity of the model. Raises ConfigurationError for an unknown model."""
        return self._look_up()[1]

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the model's files unless they are cached. Raises DownloadFailed or ConfigurationError."""
        entry, _ = await asyncio.to_thread(self._look_up)
        if self._folder is None:
            await fastembed_files.fetch(entry.name, entry.size, self._cache, progress)

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
            if self._dimensions not in (0, entry.dimensions):
                raise ConfigurationError(
                    f"{entry.name} gives {entry.dimensions} dimensions, not the configured "
                    f"{self._dimensions}.",
                    hint=f"Unset LEGACYMIND_EMBED_DIM, or set it to {entry.dimensions}.",
                )
            info = EmbedderInfo(
                provider="fastembed",
                model=entry.name,
                version=presets.version(_VERSION, digest, self._prefixes[0]),
                dimensions=entry.dimensions,
                tokenizer="own",
                normalized=True,
            )
            self._found = entry, info
        return self._found

    def _entry(self) -> tuple[_Entry, str]:
        """Return the model and a digest of its files, empty for a model from the hub."""
        named = {model.name.lower(): model for model in _supported()}
        listed = named.get(self._model.lower())
        if self._folder is not None:
            return _in_folder(self._folder, self._model, listed, self._dimensions)
        if listed is None:
            near = difflib.get_close_matches(self._model.lower(), named, n=3, cutoff=0.4)
            same = [name for name in named if name.endswith(f"/{self._model.lower().rsplit('/', 1)[-1]}")]
            names = ", ".join(named[name].name for name in dict.fromkeys([*same, *near])) or DEFAULT_MODEL
            raise ConfigurationError(
                f"fastembed has no model {self._model[:80]!r}.",
                hint=f"Set LEGACYMIND_EMBEDDING_MODEL to a model it has, such as {names}, or "
                "LEGACYMIND_EMBEDDING_MODEL_PATH to a folder with the model.",
            )
        if listed.name.lower() in _QUESTIONS_ONLY:
            raise ConfigurationError(
                f"{listed.name} embeds only questions, so it cannot store memories.",
                hint="Set LEGACYMIND_EMBEDDING_MODEL to another, such as Qdrant/stella-en-400M-v5-doc-onnx.",
            )
        return listed, ""


def _supported() -> list[_Entry]:
    """Return every text model that fastembed lists."""
    from fastembed import TextEmbedding

    quiet()
    models: list[dict[str, Any]] = TextEmbedding.list_supported_models()
    return [
        _Entry(model["model"], model["dim"], model["model_file"], size=round(model["size_in_GB"] * 1e9))
        for model in models
    ]


def _in_folder(folder: Path, name: str, entry: _Entry | None, wanted: int) -> tuple[_Entry, str]:
    candidates = (entry.file,) if entry else ONNX_FILES
    file = next((each for each in candidates if (folder / each).is_file()), None)
    if not folder.is_dir():
        raise ConfigurationError(
            f"LEGACYMIND_EMBEDDING_MODEL_PATH names {folder}, which is not a folder.",
            hint="Point it at a folder with the ONNX model, tokenizer.json and tokenizer_config.json.",
        )
    if file is None or not (folder / "tokenizer.json").is_file():
        lacking = "tokenizer.json" if file else " or ".join(candidates)
        # Without a name, the default model's files are expected.
        other = " For another model, set LEGACYMIND_EMBEDDING_MODEL to a name of your own."
        raise ConfigurationError(
            f"LEGACYMIND_EMBEDDING_MODEL_PATH has no usable {name}: {folder} lacks {lacking}.",
            hint="Point it at a folder with the ONNX model, tokenizer.json and tokenizer_config.json."
            + (other if entry and file is None else ""),
        )
    digest = hashlib.sha256()
    for each in (file, "tokenizer.json"):
        with (folder / each).open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    if entry:
        return entry, f"f{digest.hexdigest()[:12]}"
    pooling, dimensions = _pooling(folder)
    if not (wanted or dimensions):
        raise ConfigurationError(
            f"The model in {folder} does not state its dimensions.",
            hint="Set LEGACYMIND_EMBED_DIM to its number of dimensions.",
        )
    digest.update(pooling.encode())
    return _Entry(name, wanted or dimensions, file, pooling), f"f{digest.hexdigest()[:12]}"


def _pooling(folder: Path) -> tuple[str, int]:
    """Return how a sentence-transformers model pools (CLS, MEAN, LAST_TOKEN) and its dimensions or 0."""
    config = _json(folder / "1_Pooling" / "config.json")
    pooling = "MEAN"
    if config.get("pooling_mode_cls_token"):
        pooling = "CLS"
    elif config.get("pooling_mode_lasttoken"):
        pooling = "LAST_TOKEN"
    dimensions = config.get("word_embedding_dimension") or _json(folder / "config.json").get("hidden_size")
    return pooling, dimensions if isinstance(dimensions, int) else 0


def _json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


def _open(entry: _Entry, cache: Path, folder: Path | None, threads: int) -> "TextEmbedding":
    from fastembed import TextEmbedding

    if folder is not None and entry.pooling:
        return open_folder(
            entry.name,
            folder,
            file=entry.file,
            pooling=entry.pooling,
            dimensions=entry.dimensions,
            threads=threads,
        )
    options: dict[str, Any] = {"specific_model_path": str(folder)} if folder else {"local_files_only": True}
    # A static model has no threads and warns about the option.
    if not entry.name.lower().startswith("minishlab/potion"):
        options |= {"threads": threads, "cuda": False}
    return TextEmbedding(entry.name, cache_dir=str(cache), **options)
