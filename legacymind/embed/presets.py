"""Presets for known models: prefixes for passages and questions, and cosine thresholds.

Sources name a model differently ("BAAI/bge-small-en-v1.5", "bge-small-en-v1.5", "text-embedding/bge-small…"),
so each table matches a part of the name; the first match counts.
"""

import hashlib
import re
from dataclasses import dataclass

from legacymind.embed.base import Thresholds

# The thresholds of LegacyMind's design, made for text-embedding-3-small.
DESIGN = Thresholds(
    knowledge=(0.50, 0.60, 0.70),
    thoughts=(0.80, 0.75, 0.70, 0.65, 0.60),
    floor=0.15,
    calibrated=True,
)

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
# Measured on LoCoMo, to which nothing here was fitted: with t2 a question reaches 28 % of the turns that
# answer it, 0.35 % of all turns of its conversation and 0.03 % of the turns of other conversations; with t1
# 54 %, 1.4 % and 0.2 %. Plain notes are easier: in the tests, questions reach nine of their ten notes (at
# .54 to .80; the tenth, at .50, by fallback) and no other note (at most .21).
#
# The floor is above the equal share, .04 to .07, which 51 to 65 % of unrelated pairs of question and turn
# pass. At .10, 38 % of them pass, and 98 % of the related pairs.
#
# Not measured: questions under text-embedding-3-small (all pairs above are of statements), languages other
# than English, code.
MINILM = Thresholds(
    knowledge=(0.43, 0.53, 0.66),
    thoughts=(0.78, 0.72, 0.66, 0.60, 0.53),
    floor=0.10,
    calibrated=True,
)

# The cosines of e5-small-v2 that the same shares of pairs reach as MiniLM's thresholds, on LoCoMo
# (bench/shares.py): the shares are REFERENCE in legacymind/services/maintain/calibration.py. Texts are
# passages of e5. Its cosines are close together: two turns have .825 on average, a turn and an observation
# .758.
E5 = Thresholds(
    knowledge=(0.826, 0.851, 0.885),
    thoughts=(0.963, 0.949, 0.934, 0.919, 0.902),
    floor=0.748,
    calibrated=True,
)

# The cosines of the multilingual universal sentence encoder v3 that the same shares of pairs reach, likewise.
USE = Thresholds(
    knowledge=(0.346, 0.435, 0.56),
    thoughts=(0.772, 0.703, 0.638, 0.575, 0.505),
    floor=0.056,
    calibrated=True,
)

# Those of the mean of MiniLM's cosine and that encoder's, likewise.
BOTH = Thresholds(
    knowledge=(0.376, 0.465, 0.588),
    thoughts=(0.756, 0.689, 0.629, 0.569, 0.502),
    floor=0.078,
    calibrated=True,
)

# The mean cosine of unrelated sentences under all-MiniLM-L6-v2.
_MINILM_UNRELATED = 0.05


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The prefixes of passages and of questions that a model was trained with."""

    passage: str = ""
    query: str = ""


_BGE = Prefixes(query="Represent this sentence for searching relevant passages: ")
_INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query"

# From the models' cards. Models that are not listed use no prefix: all-MiniLM, paraphrase-multilingual, gte,
# jina v2, granite, CLIP, potion, text-embedding-3. jina v3 has adapters instead, which fastembed selects.
_PREFIXES: tuple[tuple[str, Prefixes], ...] = (
    (r"\be5-.*-instruct", Prefixes(query=f"{_INSTRUCTION}\nQuery: ")),
    (r"\b(multilingual-)?e5-", Prefixes("passage: ", "query: ")),
    (r"bge-.*-en\b", _BGE),
    (r"bge-.*-zh\b", Prefixes(query="为这个句子生成表示以用于检索相关文章：")),
    (r"mxbai-embed-large", _BGE),
    (r"snowflake-arctic-embed2|snowflake-arctic-embed-.*-v2", Prefixes(query="query: ")),
    (r"snowflake-arctic-embed", _BGE),
    (r"nomic-embed-text", Prefixes("search_document: ", "search_query: ")),
    (r"embeddinggemma", Prefixes("title: none | text: ", "task: search result | query: ")),
    (r"qwen3-embedding", Prefixes(query=f"{_INSTRUCTION}\nQuery:")),
    (r"stella[-_]en", Prefixes(query=f"{_INSTRUCTION}.\nQuery: ")),
)

# The mean cosine of unrelated texts; lower cosines carry no information.
_UNRELATED: tuple[tuple[str, float], ...] = (
    (r"bge-.*-(en|zh)-v1\.5", 0.47),  # .466 for the small one, where MiniLM has .052: clawRxiv 2604.01087
    (r"bge-.*-(en|zh)\b", 0.60),  # "about in the interval [0.6, 1]": FlagEmbedding's FAQ
    (r"\bgte-(small|base|large)\b", 0.71),  # clawRxiv 2604.01098
    (r"\be5-", 0.70),  # "distribute around 0.7 to 1.0": the model cards' FAQ
    (r"text-embedding-ada-002", 0.70),  # reported many times in OpenAI's forum
)


def prefixes(model: str) -> Prefixes:
    """Return the model's prefixes, empty for models without any."""
    return next((known for part, known in _PREFIXES if re.search(part, model, re.IGNORECASE)), Prefixes())


def thresholds(model: str) -> Thresholds:
    """Return the model's thresholds: measured ones, or else an estimate from published figures.

    Where the mean cosine of unrelated texts is published, MiniLM's thresholds are mapped by the straight
    line that takes MiniLM's unrelated cosine to the model's and keeps 1 at 1. Other models get the design's
    thresholds. Both kinds of estimate are marked as not calibrated.
    """
    if re.search(r"all-minilm-l6-v2$", model, re.IGNORECASE):
        return MINILM
    if re.search(r"text-embedding-3-small$", model, re.IGNORECASE):
        return DESIGN
    if re.search(r"(^|/)e5-small-v2$", model, re.IGNORECASE):
        return E5
    for part, unrelated in _UNRELATED:
        if re.search(part, model, re.IGNORECASE):
            return _scaled(unrelated)
    return Thresholds(DESIGN.knowledge, DESIGN.thoughts, DESIGN.floor)


def _scaled(unrelated: float) -> Thresholds:
    slope = (1 - unrelated) / (1 - _MINILM_UNRELATED)

    def mapped(cosine: float) -> float:
        return round(1 - (1 - cosine) * slope, 2)

    t1, t2, t3 = (mapped(cosine) for cosine in MINILM.knowledge)
    one, two, three, four, five = (mapped(cosine) for cosine in MINILM.thoughts)
    return Thresholds((t1, t2, t3), (one, two, three, four, five), mapped(MINILM.floor))


_ENGLISH = (
    r"all-minilm|(^|/)e5-(small|base|large)(-v2)?$|bge-.*-en\b"
    r"|nomic-embed-text-v1|snowflake-arctic-embed-[a-z]+$"
)


def is_english(model: str) -> bool:
    """Whether a model is known to be trained on English alone."""
    return re.search(_ENGLISH, model, re.IGNORECASE) is not None


def version(*parts: str) -> str:
    """Return a version string from ``parts``; the last one, the prefix of passages, enters as a digest."""
    *fixed, prefix = parts
    digest = f"p{hashlib.sha256(prefix.encode()).hexdigest()[:8]}" if prefix else ""
    return "-".join(part for part in (*fixed, digest) if part)
