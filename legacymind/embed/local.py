"""Models run in this process, in runs of bounded size on threads of their own."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, TypeVarTuple, cast

from legacymind.embed.windows import Window, cut, pooled, runs, unit
from legacymind.errors import DownloadFailed, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

# Padded tokens in one run of the model, for each of its threads: two windows or sixteen short chat turns for
# MiniLM. Larger runs are slower: texts of 34 tokens on one thread of a busy machine took 11.4 ms each in runs
# of 1 text, 8.5 in runs of 512 tokens, 12.8 at 1024, 17.4 at 2048 and 22.0 at 4096 (two threads are fastest
# at 1024). And a query waits for one run of a long import, about 0.1 to 0.2 s. bench/embedders.py
# repeats the measurement: at a load of 7, texts a second were 51 at 256, 48 at 512, 33 at 1024, 30 at 2048.
RUN_TOKENS = 512

# Most tokens in a window, for any model: the memory of attention grows with their square and reaches
# gigabytes per run at 8,192 tokens.
MOST_TOKENS = 512

# Paths of the ONNX file in the folder of a model that fastembed does not list, tried in this order.
ONNX_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")

_registering = threading.Lock()

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Model(Protocol):
    """A loaded model that a ``Runner`` runs. Several threads use it at once."""

    @property
    def framing(self) -> int:
        """Tokens that frame each window."""
        ...

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the windows of the texts, in order; a text that fits is one window."""
        ...

    def vectors(self, contents: Sequence[str], query: bool) -> list[list[float]]:
        """Return the unit vectors of texts that fit, in one run of the model."""
        ...


class LocalModel:
    """A loaded fastembed model. ``prefixes`` are those of passages and of questions.

    Several threads may use it at once: onnxruntime's sessions and the tokenizer allow that.
    """

    def __init__(self, encoder: "TextEmbedding", prefixes: tuple[str, str] = ("", "")) -> None:
        self._encoder = encoder
        self._prefixes = prefixes
        own: Tokenizer = cast("Any", encoder.model).tokenizer
        # fastembed's tokenizer truncates long texts; this copy does not, so it finds where to cut.
        self._tokenizer = type(own).from_str(own.to_str())
        truncation = cast("dict[str, int]", own.truncation or {})
        input_tokens = truncation.get("max_length", MOST_TOKENS)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        longest = max(len(self._tokenizer.encode(prefix, add_special_tokens=False)) for prefix in prefixes)
        self.framing = self._tokenizer.num_special_tokens_to_add(is_pair=False) + longest
        self.window = max(8, min(input_tokens, MOST_TOKENS) - self.framing)

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the windows of the texts, in order; a text that fits is one window."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            Window(number, content, tokens)
            for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True))
            for content, tokens in cut(text, encoding.offsets, encoding.word_ids, self.window)
        ]

    def vectors(self, contents: Sequence[str], query: bool) -> list[list[float]]:
        """Return the unit vectors of texts that fit, in one run of the model."""
        prefixed = [self._prefixes[query] + content for content in contents]
        # Not embed(): some models have a task for each role, which fastembed selects.
        embed = self._encoder.query_embed if query else self._encoder.passage_embed
        return [unit(vector) for vector in embed(prefixed, batch_size=len(prefixed))]


class Runner:
    """Runs a local model in threads; the first use loads it.

    A call with several runs spreads them over ``lanes`` threads, which use all cores unless ``threads`` is
    set: an import is as fast as the machine. Calls queue without occupying the loop's threads, and runs of
    concurrent calls alternate, so a query waits for at most one run of an import.
    """

    def __init__(self, name: str, load: Callable[[int], Model], threads: int) -> None:
        self._load_model = load
        self._threads = model_threads(threads)
        # The runs of all lanes share the other threads of the model, threads - 1.
        self._lanes = 1 if threads > 0 else max(1, (os.cpu_count() or 1) - self._threads + 1)
        self._workers = ThreadPoolExecutor(max_workers=self._lanes, thread_name_prefix=name)
        self._loading = threading.Lock()
        self._model: Model | None = None

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector for each text, in order. Raises whatever the model raises."""
        model = await self._run(self._load)
        windows = await self._run(model.windows, texts)
        vectors: list[list[float]] = [[] for _ in windows]
        waiting = iter(runs(windows, RUN_TOKENS * self._threads, model.framing))

        async def lane() -> None:
            for run in waiting:
                embedded = await self._run(model.vectors, [windows[i].content for i in run], query)
                for i, vector in zip(run, embedded, strict=True):
                    vectors[i] = vector

        lanes = [asyncio.ensure_future(lane()) for _ in range(min(self._lanes, len(windows)))]
        try:
            await asyncio.gather(*lanes)
        finally:
            for each in lanes:
                each.cancel()
        return await self._run(pooled, windows, vectors, len(texts))

    async def _run(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)

    def _load(self) -> Model:
        with self._loading:
            if self._model is None:
                self._model = self._load_model(self._threads)
            return self._model


class LocalEmbedder:
    """The base of embedders in this process. Texts longer than the model's input are cut and pooled.

    ``remedy`` is what to do if every text fails.
    """

    def __init__(self, settings: Settings, *, provider: str, model: str, remedy: str) -> None:
        self._model = model
        self._remedy = remedy
        self._runner = Runner(provider, self._load, settings.embed_threads)
        self._fetching: asyncio.Task[None] | None = None

    @property
    def downloaded(self) -> bool:
        """Whether the model's files are known to be in the cache."""
        return False

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the files unless they are cached. Raises DownloadFailed."""
        raise NotImplementedError

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector for each text, in order, also for an empty text.

        A text's vector does not depend (to 1e-6) on the other texts in the call. The first call loads the
        model, and downloads it if necessary. Raises EmbeddingError.
        """
        if not texts:
            return []
        if not (self._runner.loaded or self.downloaded):
            await self._fetch_once()
        try:
            return await self._runner.embed(texts, query=query)
        except EmbeddingError:
            raise
        except Exception as reason:
            raise EmbeddingError(
                f"The embedding model {self._model} failed: {' '.join(str(reason).split())[:300]}.",
                hint=f"If every text fails, {self._remedy}.",
            ) from reason

    async def _fetch_once(self) -> None:
        """Wait for the download, which concurrent first uses share."""
        if self._fetching is None or self._fetching.done():
            self._fetching = asyncio.create_task(self.fetch())
        try:
            # Shielded, so that a caller who gives up does not cancel the download.
            await asyncio.shield(self._fetching)
        except DownloadFailed as reason:
            raise EmbeddingError(reason.what, hint=reason.hint) from reason

    async def close(self) -> None:
        """Do nothing; there are no connections."""

    def _load(self, threads: int) -> Model:
        raise NotImplementedError


def open_folder(
    name: str, folder: Path, *, file: str, pooling: str, dimensions: int, threads: int
) -> "TextEmbedding":
    """Load a model that fastembed does not list from a folder with its ONNX ``file`` and tokenizer.

    ``pooling`` is MEAN, CLS or LAST_TOKEN. The vectors are normalised.
    """
    # Imported here, because it takes half a second.
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    quiet()
    registered = f"local/{name}/{pooling}/{file}/{dimensions}"
    with _registering:
        known: list[dict[str, Any]] = TextEmbedding.list_supported_models()
        if registered.lower() not in {model["model"].lower() for model in known}:
            TextEmbedding.add_custom_model(
                model=registered,
                pooling=PoolingType[pooling],
                normalization=True,
                sources=ModelSource(hf="none/none"),  # required, but unused with a folder
                dim=dimensions,
                model_file=file,
            )
    return TextEmbedding(
        registered,
        specific_model_path=str(folder),
        cache_dir=str(folder),  # unused; fastembed creates it, in /tmp when not given
        threads=threads,
        cuda=False,
    )


def quiet() -> None:
    """Silence fastembed's log on stderr, which repeats our errors."""
    from loguru import logger

    logger.disable("fastembed")


def model_threads(wanted: int) -> int:
    """Return ``wanted`` if it is positive, else half the cores, at least 1.

    The model's threads spin while they wait for each other. Measured on 2 cores, interleaved: on an idle
    machine 2 threads take 0.5 to 0.7 of the time of one; with another busy process 1.1 to 1.3 of the time and
    1.5 to 1.8 of the CPU time; with several up to 5 times as long. An agent's machine is not idle, because
    Neo4j runs on it. At a load of 7 (bench/embedders.py, one after the other), calls
    of 32 texts of 100 tokens gave 25 texts a second with 1 thread and 5 with 2; per second of CPU time 40
    and 19.
    """
    return wanted if wanted > 0 else max(1, (os.cpu_count() or 2) // 2)
