"""The default embedder: all-MiniLM-L6-v2 on this machine, through fastembed's local-model path."""

import asyncio
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from legacymind.embed import minilm_files
from legacymind.embed.base import EmbedderInfo, Progress, Thresholds
from legacymind.errors import DownloadFailed, EmbeddingError
from legacymind.settings import Settings

if TYPE_CHECKING:
    from tokenizers import Encoding

DIMENSIONS = 384

# Tokens of text in one window: what the model sees, less the two that frame every input.
WINDOW = minilm_files.MAX_TOKENS - 2

# Changes when a text would get another vector than before, so that old and new are not mixed:
# the weights' revision, then the way of pooling windows.
VERSION = f"{minilm_files.REVISION}-w1"

# Padded tokens in one run of the model, for each of its threads: two windows or sixteen short turns.
# Larger runs are slower, not faster: texts of 34 tokens on one thread, a busy machine, ms each in runs of
# 1 text 11.4, of 512 tokens 8.5, 1024 12.8, 2048 17.4, 4096 22.0 (two threads do best at 1024). And a query
# waits for one run of a long import, some 0.1 to 0.2 s.
RUN_TOKENS = 512

# The design's thresholds are cosines of text-embedding-3-small (.50 .60 .70; .80 .75 .70 .65 .60; floor .15).
# These are the cosines of MiniLM that about the same share of pairs reaches.
#
# Measured: 126 English texts (a person's facts, a blog, a CV, articles of association, product notes) that
# five public repositories keep with their text-embedding-3-small vectors; 7,875 pairs, 2,022 of them within
# a repository; the two models' cosines correlate at .89. The equal share, over all pairs and within a
# repository: .50 → .45/.43, .60 → .54/.54, .65 → .62/.61, .70 → .68/.68, .75 → .72/.72; .80 → .81, from 14
# pairs (by equal standard score .78). Published: the means of 40 labelled pairs of statements under both
# models (episteme.cloud, "Embedding Model Evaluation": same .737 and .661, different .329 and .216), whose
# straight line says .40 .51 .62; .73 .68 .62 .57 .51. The figures lie between, close to the measured: of
# the pairs within a repository 26.0 % pass t1 there and 25.9 % here, t2 13.8 and 14.1 %, t3 5.5 and 5.9 %.
#
# What they do, measured on LoCoMo (to which nothing here was fitted): t2 lets a question reach 28 % of the
# turns that answer it, 0.35 % of all turns of its conversation, 0.03 % of another conversation's; t1 54,
# 1.4 and 0.2 %. Plain notes are reached more surely: nine of the ten in the tests by their questions (at
# .54 to .80; the tenth, at .50, by fallback), and never another's (at most .21).
#
# The floor is above the equal share, .04 to .07, which 51 to 65 % of unrelated questions and turns pass; at
# .10 it is 38 %, and 98 % of the related ones still do.
#
# Not measured: questions under text-embedding-3-small (all pairs above are of statements), languages other
# than English, code.
THRESHOLDS = Thresholds(
    knowledge=(0.43, 0.53, 0.66),
    thoughts=(0.78, 0.72, 0.66, 0.60, 0.53),
    floor=0.10,
)

_SENTENCE_END = re.compile(r"""[.!?…]+["'”’)\]]*\s+|[。！？]+|\n+""")

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Window:
    """A part of a text that the model sees whole."""

    text: int  # index in the call
    content: str
    tokens: int


class MiniLM:
    """all-MiniLM-L6-v2, 384 dimensions, L2-normalised; an Embedder.

    The model sees 256 tokens. A longer text is cut into windows of whole sentences, and its vector is the
    mean of the windows' unit vectors, weighted by their tokens, made a unit vector again. Weighted, because
    a last window of three words must not count like a full one. On LoCoMo, asked which of a conversation's
    sessions (640 tokens on average) answers a question, this had an MRR of 49.1; unweighted 46.2; only the
    first 256 tokens 41.2; windows of 128, 64 and 32 tokens 49.2, 48.6 and 48.3.

    One thread of its own runs the model, so calls queue without occupying the event loop's threads, and
    the runs of several calls alternate. It may be used from several event loops.
    """

    info = EmbedderInfo(
        provider="minilm",
        model="all-MiniLM-L6-v2",
        version=VERSION,
        dimensions=DIMENSIONS,
        tokenizer=f"bert-uncased-{minilm_files.MAX_TOKENS}",
        normalized=True,
    )
    thresholds = THRESHOLDS

    def __init__(self, settings: Settings) -> None:
        self._cache = settings.cache_path
        self._threads = _threads(settings.embed_threads)
        # Starts its thread at the first call. One, since the model's own threads are what uses the cores;
        # it is also the lock under which the model is loaded.
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="minilm")
        self._model: _Model | None = None
        self._fetching: asyncio.Task[Path] | None = None

    @property
    def downloaded(self) -> bool:
        """Whether the model's files are in the cache, whole."""
        return minilm_files.is_whole(minilm_files.folder(self._cache))

    async def fetch(self, progress: Progress | None = None) -> None:
        """Have the model's files in the cache; see ``minilm_files.fetch``. Raises DownloadFailed."""
        await minilm_files.fetch(self._cache, progress)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector of 384 floats for each text, in order; the empty text has one too.

        A text gets the same vector (to 1e-6) whatever it is embedded with. The first call loads the model,
        and downloads it when nobody has called ``fetch``. Raises EmbeddingError.
        """
        if not texts:
            return []
        if self._model is None:
            await self._have_files()
        try:
            model = await self._run(self._load)
            windows = await self._run(model.windows, texts)
            vectors: list[list[float]] = [[] for _ in windows]
            for run in _runs(windows, RUN_TOKENS * self._threads):
                found = await self._run(model.vectors, [windows[i].content for i in run])
                for i, vector in zip(run, found, strict=True):
                    vectors[i] = vector
            return await self._run(_pooled, windows, vectors, len(texts))
        except Exception as reason:
            raise EmbeddingError(
                f"The embedding model all-MiniLM-L6-v2 failed: {str(reason)[:300]}.",
                do=f"If it does so for every text, remove {minilm_files.folder(self._cache)} "
                "and run `legacymind up`, which makes it anew.",
            ) from reason

    async def _have_files(self) -> None:
        if self.downloaded:
            return
        task = self._fetching
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = self._fetching = asyncio.create_task(minilm_files.fetch(self._cache))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            # Shielded: a caller who gives up after a minute must not send the download back to its start.
            await asyncio.shield(task)
        except DownloadFailed as reason:
            raise EmbeddingError(reason.what, do=reason.do) from reason

    async def _run(self, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, *arguments)

    def _load(self) -> "_Model":
        if self._model is None:
            self._model = _Model(self._cache, self._threads)
        return self._model


def _threads(wanted: int) -> int:
    """Half the cores unless told otherwise.

    The model's threads spin while they wait for each other. On 2 cores, interleaved: idle, 2 threads take
    0.5 to 0.7 of the time of one; beside one busy process 1.1 to 1.3 of it, and 1.5 to 1.8 of its CPU time;
    beside several up to 5 times as long. An agent's machine is not idle: Neo4j runs on it.
    """
    return wanted if wanted > 0 else max(1, (os.cpu_count() or 2) // 2)


class _Model:
    """The loaded model; used by one thread."""

    def __init__(self, cache: Path, threads: int) -> None:
        # Here and not above: they take half a second to import.
        from fastembed import TextEmbedding
        from tokenizers import Tokenizer

        made = minilm_files.folder(cache)
        self._encoder = TextEmbedding(
            "sentence-transformers/all-MiniLM-L6-v2",  # fastembed's own entry: mean pooling, unit vectors
            specific_model_path=str(made),
            cache_dir=str(made),  # not used, but made when it is missing, and in /tmp when not given
            threads=threads,
            cuda=False,
        )
        # fastembed's own tokenizer cuts at 256 tokens; this one finds where to.
        self._tokenizer = Tokenizer.from_file(str(made / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def windows(self, texts: Sequence[str]) -> list[_Window]:
        """Every text's windows, in order; a text that fits is one."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [
            _Window(number, content, tokens)
            for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True))
            for content, tokens in _cut(text, encoding)
        ]

    def vectors(self, contents: list[str]) -> list[list[float]]:
        """The unit vectors of texts that fit, in one run of the model."""
        return [vector.tolist() for vector in self._encoder.embed(contents, batch_size=len(contents))]


def _cut(text: str, encoding: "Encoding") -> list[tuple[str, int]]:
    """The windows of a text, each with its tokens: as many whole sentences as fit.

    Where no sentence ends in the second half of a window it is cut between two words, so that a text
    without full stops cannot make more than twice the windows it needs.
    """
    offsets, words = encoding.offsets, encoding.word_ids
    if len(offsets) <= WINDOW:
        return [(text, len(offsets))]
    starts = [start for start, _ in offsets]
    # The tokens at which a sentence begins.
    begins = [bisect_left(starts, match.end()) for match in _SENTENCE_END.finditer(text)]
    windows: list[tuple[str, int]] = []
    first = 0
    while first < len(starts):
        end = min(first + WINDOW, len(starts))
        if end < len(starts):
            at = bisect_right(begins, end) - 1
            if at >= 0 and begins[at] > first + WINDOW // 2:
                end = begins[at]
            else:  # a word has at most 100 tokens, so this ends
                while words[end] is not None and words[end] == words[end - 1]:
                    end -= 1
        windows.append((text[starts[first] : offsets[end - 1][1]], end - first))
        first = end
    return windows


def _runs(windows: Sequence[_Window], limit: int) -> list[list[int]]:
    """The windows' indices in runs of at most ``limit`` tokens after padding.

    By length, since a run costs its longest text times their number.
    """
    runs: list[list[int]] = []
    for i in sorted(range(len(windows)), key=lambda i: windows[i].tokens):
        longest = windows[i].tokens + 2
        if not runs or longest * (len(runs[-1]) + 1) > limit:
            runs.append([])
        runs[-1].append(i)
    return runs


def _pooled(windows: Sequence[_Window], vectors: Sequence[list[float]], texts: int) -> list[list[float]]:
    """One vector for each text, from those of its windows."""
    import numpy as np

    parts: list[list[int]] = [[] for _ in range(texts)]
    for i, window in enumerate(windows):
        parts[window.text].append(i)
    pooled: list[list[float]] = []
    for part in parts:
        if len(part) == 1:
            pooled.append(vectors[part[0]])
        else:
            weights = np.array([windows[i].tokens for i in part], dtype=np.float64)
            mean = weights @ np.array([vectors[i] for i in part])
            pooled.append((mean / np.linalg.norm(mean)).tolist())
    return pooled
