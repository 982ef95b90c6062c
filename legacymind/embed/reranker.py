"""Re-rankers: cross-encoders of fastembed, which read a query and a text together and return one score."""

import asyncio
import difflib
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple, cast

from legacymind.embed import fastembed_files
from legacymind.embed.local import MOST_TOKENS, ONNX_FILES, RUN_TOKENS, SharedDownload, model_threads, quiet
from legacymind.embed.windows import Window, runs
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # pyright: ignore[reportMissingTypeStubs]

_LONGEST: Final = 2_000
"""Characters of a query that the model reads. Its input is limited to ``MOST_TOKENS`` tokens in any case."""

_RETRY_AFTER: Final = 60.0
"""Seconds without a new download after one that failed, so that searches do not each wait for the hub."""

_UNSET: Final = "or unset LEGACYMIND_RERANKER to search without a re-ranker."

_registering = threading.Lock()

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class RerankerFailed(Exception):
    """The re-ranker gave no scores now but may later; the message is a full sentence with the reason."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A model as fastembed registers it. ``folder`` is None for a model from the hub."""

    name: str
    size: int = 0  # approximate bytes to download
    folder: Path | None = None


class Reranker:
    """A cross-encoder of fastembed, from the hub or a folder, on a thread of its own.

    ``model`` is the name of a model that fastembed lists, or else the path of a folder with ``model.onnx``
    (or ``onnx/model.onnx``), ``tokenizer.json`` and ``tokenizer_config.json``. The first ``fetch`` or use
    downloads a model from the hub into the cache folder; a folder needs no network. ``candidates`` is the
    number of hits to order again. It may be used from several event loops.
    """

    def __init__(self, model: str, candidates: int, cache: Path, threads: int) -> None:
        self.model = model
        self.candidates = candidates
        self._cache = cache / "models" / "fastembed"
        self._threads = model_threads(threads)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reranker")
        self._download = SharedDownload(self.fetch)
        self._failed: tuple[float, str] | None = None  # when a download failed, and why
        self._entry: _Entry | None = None
        self._loaded: _CrossEncoder | None = None

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the model unless it is cached. Raises DownloadFailed or ConfigurationError."""
        entry = await asyncio.to_thread(self._look_up)
        if entry.folder is None:
            await fastembed_files.fetch(entry.name, entry.size, self._cache, progress, reranker=True)

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the model's raw score of each text for the query, in order; greater is more relevant.

        The query is sent without the prefixes of embedding models. The same texts always have the same
        scores. The first call loads the model, and downloads it if necessary. Raises ConfigurationError when
        the settings name no usable model, RerankerFailed when the model cannot be downloaded or fails.
        """
        if self._loaded is None:
            await self._fetch()
        model = await self._run(self._load)
        query = query[:_LONGEST]
        try:
            tokens = await self._run(model.tokens, query, texts)
            pairs = [
                Window(i, text, count) for i, (text, count) in enumerate(zip(texts, tokens, strict=True))
            ]
            scores = [0.0] * len(texts)
            for run in runs(pairs, RUN_TOKENS * self._threads, extra=0):
                found = await self._run(model.scores, query, [texts[i] for i in run])
                for i, score in zip(run, found, strict=True):
                    scores[i] = score
        except Exception as reason:
            raise RerankerFailed(f"The re-ranker {self.model} failed: {_short(reason)}.") from reason
        return scores

    async def _fetch(self) -> None:
        if self._failed and time.monotonic() < self._failed[0] + _RETRY_AFTER:
            raise RerankerFailed(self._failed[1])
        try:
            await self._download.wait()
        except EmbeddingError as reason:
            self._failed = time.monotonic(), f"{reason.what} {reason.hint}"
            raise RerankerFailed(self._failed[1]) from reason

    def _load(self) -> "_CrossEncoder":
        if self._loaded is None:
            entry = self._look_up()
            try:
                model = _CrossEncoder(_open(entry, self._cache, self._threads))
                model.scores(".", ["."])
            except Exception as reason:
                raise ConfigurationError(
                    f"The re-ranker {self.model} cannot be used: {_short(reason)}.",
                    hint=f"Check that {entry.folder or self._cache} has the files of a cross-encoder, which "
                    f"gives one score for each text, {_UNSET}",
                ) from reason
            self._loaded = model
        return self._loaded

    def _look_up(self) -> _Entry:
        if self._entry is None:
            listed = {name.lower(): _Entry(name, size) for name, size in _supported()}
            self._entry = listed.get(self.model.lower()) or _in_folder(
                self.model, {lower: entry.name for lower, entry in listed.items()}
            )
        return self._entry

    async def _run(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *arguments)


def make_reranker(settings: Settings) -> Reranker | None:
    """Return the configured re-ranker without loading it, or None."""
    if not settings.reranker:
        return None
    return Reranker(
        settings.reranker, settings.rerank_candidates, settings.cache_path, settings.embed_threads
    )


class _CrossEncoder:
    """A loaded model, used by one thread."""

    def __init__(self, encoder: "TextCrossEncoder") -> None:
        self._encoder = encoder
        self._tokenizer = cast("Any", encoder.model).tokenizer
        # Longer inputs, which some models accept, would take seconds for each text.
        truncation = self._tokenizer.truncation
        self._tokenizer.enable_truncation(
            max_length=min(truncation["max_length"], MOST_TOKENS), direction=truncation["direction"]
        )

    def tokens(self, query: str, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each pair, after truncation."""
        encodings = self._tokenizer.encode_batch([(query, text) for text in texts])
        return [sum(encoding.attention_mask) for encoding in encodings]

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text, in one run of the model. Raises ValueError for other results."""
        scores = [float(score) for score in self._encoder.rerank(query, texts, batch_size=len(texts))]
        if len(scores) != len(texts) or not all(map(math.isfinite, scores)):
            raise ValueError("it does not give one number for each text")
        return scores


def _supported() -> list[tuple[str, int]]:
    """Return the name and size in bytes of every cross-encoder on the hub that fastembed lists."""
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # pyright: ignore[reportMissingTypeStubs]

    quiet()
    models = TextCrossEncoder.list_supported_models()
    return [
        (model["model"], round(model["size_in_GB"] * 1e9))
        for model in models
        if not model["model"].startswith("local/")
    ]


def _in_folder(path: str, listed: Mapping[str, str]) -> _Entry:
    """The model in a folder. ``listed`` are the names of fastembed's models, by the name in lower case."""
    folder = Path(path).expanduser().absolute()
    if not folder.is_dir():
        near = difflib.get_close_matches(path.lower(), listed, n=3, cutoff=0.3) or [*listed][:1]
        raise ConfigurationError(
            f"LEGACYMIND_RERANKER is {path[:200]!r}, which is neither a cross-encoder of fastembed nor a "
            "folder.",
            hint=f"Set it to a model such as {', '.join(listed[name] for name in near)}, or to a folder with "
            f"the ONNX model, tokenizer.json and tokenizer_config.json, {_UNSET}",
        )
    file = next((each for each in ONNX_FILES if (folder / each).is_file()), None)
    needed = ("tokenizer.json", "tokenizer_config.json")
    lacking = [name for name in needed if not (folder / name).is_file()]
    if file is None or lacking:
        missing = ", ".join([*(() if file else (" or ".join(ONNX_FILES),)), *lacking])
        raise ConfigurationError(
            f"LEGACYMIND_RERANKER names {folder}, which lacks {missing}.",
            hint=f"Add what is missing, {_UNSET}",
        )
    return _Entry(_registered(folder, file), folder=folder)


def _registered(folder: Path, file: str) -> str:
    """Register a folder's model with fastembed, once, and return its name there."""
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # pyright: ignore[reportMissingTypeStubs]

    name = f"local/{folder}/{file}"
    with _registering:
        # fastembed compares names without case; paths that differ in nothing else are one file to it, and the
        # folder that is opened is passed separately.
        if name.lower() not in {model["model"].lower() for model in TextCrossEncoder.list_supported_models()}:
            source = ModelSource(hf="none/none")  # required, but unused with a folder
            TextCrossEncoder.add_custom_model(name, sources=source, model_file=file)
    return name


def _open(entry: _Entry, cache: Path, threads: int) -> "TextCrossEncoder":
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # pyright: ignore[reportMissingTypeStubs]

    options: dict[str, Any] = (
        {"specific_model_path": str(entry.folder)} if entry.folder else {"local_files_only": True}
    )
    return TextCrossEncoder(entry.name, cache_dir=str(cache), threads=threads, cuda=False, **options)


def _short(reason: Exception) -> str:
    return " ".join(str(reason).split())[:300].rstrip(".") or type(reason).__name__
