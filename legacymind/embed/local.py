"""A model that runs in this process, through fastembed: in runs of bounded size, on one thread of its own."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, cast

from legacymind.embed.windows import Window, cut, pooled, runs, unit
from legacymind.errors import DownloadFailed, EmbeddingError

if TYPE_CHECKING:
    from fastembed import TextEmbedding

# Padded tokens in one run of the model, for each of its threads: two windows or sixteen short turns of
# MiniLM. Larger runs are slower, not faster: texts of 34 tokens on one thread, a busy machine, ms each in
# runs of 1 text 11.4, of 512 tokens 8.5, 1024 12.8, 2048 17.4, 4096 22.0 (two threads do best at 1024). And
# a query waits for one run of a long import, some 0.1 to 0.2 s. tests/bench/embedders.py measures it anew: at
# a load of 7, of texts a second, 51 at 256, 48 at 512, 33 at 1024, 30 at 2048.
RUN_TOKENS = 512

# A window's tokens at most, whatever a model sees: its attention takes memory by their square, which at
# 8,192 tokens is gigabytes for each run.
MOST_TOKENS = 512

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class LocalModel:
    """A loaded model of fastembed's; used by one thread. ``prefixes`` stand before passages and questions."""

    def __init__(self, encoder: "TextEmbedding", prefixes: tuple[str, str] = ("", "")) -> None:
        from tokenizers import Tokenizer

        self._encoder = encoder
        self._prefixes = prefixes
        own = cast("Any", encoder.model).tokenizer
        # fastembed's own tokenizer cuts off what the model does not see; this one finds where to.
        self._tokenizer: Tokenizer = Tokenizer.from_str(own.to_str())
        truncation: dict[str, int] = own.truncation or {}
        seen = truncation.get("max_length", MOST_TOKENS)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        longest = max(len(self._tokenizer.encode(prefix, add_special_tokens=False)) for prefix in prefixes)
        self.framing = self._tokenizer.num_special_tokens_to_add(is_pair=False) + longest
        self.window = max(8, min(seen, MOST_TOKENS) - self.framing)

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Every text's windows, in order; a text that fits is one."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            Window(number, content, tokens)
            for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True))
            for content, tokens in cut(text, encoding.offsets, encoding.word_ids, self.window)
        ]

    def vectors(self, contents: Sequence[str], query: bool) -> list[list[float]]:
        """The unit vectors of texts that fit, in one run of the model."""
        given = [self._prefixes[query] + content for content in contents]
        # These two and not embed(): where a model has a task for each, fastembed knows it.
        embed = self._encoder.query_embed if query else self._encoder.passage_embed
        return [unit(vector) for vector in embed(given, batch_size=len(given))]


class Runner:
    """Runs a local model, loaded at the first use, for callers on any event loop.

    One thread runs it, since the model's own threads are what uses the cores; it is also the lock under
    which the model is loaded. So calls queue without occupying the loop's threads, and the runs of several
    alternate.
    """

    def __init__(self, name: str, load: Callable[[int], LocalModel], threads: int) -> None:
        self._load_model = load
        self._threads = model_threads(threads)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._model: LocalModel | None = None

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector for each text, in order; raises whatever the model raises."""
        model = await self._run(self._load)
        windows = await self._run(model.windows, texts)
        vectors: list[list[float]] = [[] for _ in windows]
        for run in runs(windows, RUN_TOKENS * self._threads, model.framing):
            found = await self._run(model.vectors, [windows[i].content for i in run], query)
            for i, vector in zip(run, found, strict=True):
                vectors[i] = vector
        return await self._run(pooled, windows, vectors, len(texts))

    async def _run(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *arguments)

    def _load(self) -> LocalModel:
        if self._model is None:
            self._model = self._load_model(self._threads)
        return self._model


class FirstUse:
    """The download that a first use needs: one for all who wait at the same time."""

    def __init__(self, fetch: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self._fetch = fetch
        self._task: asyncio.Task[object] | None = None

    async def wait(self) -> None:
        """Have it downloaded; raises EmbeddingError, saying what DownloadFailed says."""
        task = self._task
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = self._task = asyncio.create_task(self._fetch())
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            # Shielded: a caller who gives up after a minute must not send the download back to its start.
            await asyncio.shield(task)
        except DownloadFailed as reason:
            raise EmbeddingError(reason.what, hint=reason.hint) from reason


def model_threads(wanted: int) -> int:
    """Half the cores unless told otherwise.

    The model's threads spin while they wait for each other. On 2 cores, interleaved: idle, 2 threads take
    0.5 to 0.7 of the time of one; beside one busy process 1.1 to 1.3 of it, and 1.5 to 1.8 of its CPU time;
    beside several up to 5 times as long. An agent's machine is not idle: Neo4j runs on it. At a load of 7
    (tests/bench/embedders.py, one after the other) texts of 100 tokens, 32 in a call: 25 a second with 1
    thread and 5 with 2; 40 and 19 for each second of a processor.
    """
    return wanted if wanted > 0 else max(1, (os.cpu_count() or 2) // 2)
