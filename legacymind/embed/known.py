"""What is known of models by their names: the words they want before a text, and how their cosines lie.

Names differ between sources ("BAAI/bge-small-en-v1.5", "bge-small-en-v1.5", "text-embedding/bge-small…"), so
a model is known by a part of its name; the first line that fits counts.
"""

import hashlib
import re
from dataclasses import dataclass

from legacymind.embed.base import Thresholds

# The design's thresholds, made for text-embedding-3-small.
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
MINILM = Thresholds(
    knowledge=(0.43, 0.53, 0.66),
    thoughts=(0.78, 0.72, 0.66, 0.60, 0.53),
    floor=0.10,
    calibrated=True,
)

# The mean cosine of unrelated sentences under all-MiniLM-L6-v2.
_MINILM_UNRELATED = 0.05


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to see before a passage and before a question."""

    passage: str = ""
    query: str = ""


_BGE = Prefixes(query="Represent this sentence for searching relevant passages: ")
_INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query"

# From the models' cards. What is not here wants none: all-MiniLM, paraphrase-multilingual, gte, jina v2,
# granite, CLIP, potion, text-embedding-3. jina v3 has adapters instead, which fastembed chooses.
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

# The least cosine that tells anything: that of unrelated texts, on average.
_UNRELATED: tuple[tuple[str, float], ...] = (
    (r"bge-.*-(en|zh)-v1\.5", 0.47),  # .466 for the small one, where MiniLM has .052: clawRxiv 2604.01087
    (r"bge-.*-(en|zh)\b", 0.60),  # "about in the interval [0.6, 1]": FlagEmbedding's FAQ
    (r"\bgte-(small|base|large)\b", 0.71),  # clawRxiv 2604.01098
    (r"\be5-", 0.70),  # "distribute around 0.7 to 1.0": the model cards' FAQ
    (r"text-embedding-ada-002", 0.70),  # OpenAI's forum, many times
)


def prefixes(model: str) -> Prefixes:
    """What the model wants before a text."""
    return next((found for part, found in _PREFIXES if re.search(part, model, re.IGNORECASE)), Prefixes())


def thresholds(model: str) -> Thresholds:
    """The model's thresholds: measured, or else as good a guess as what is published allows.

    Where the cosine of unrelated texts is known, MiniLM's thresholds are moved along the straight line that
    takes its own unrelated cosine there and leaves 1 where it is. Of other models nothing is known, and they
    get the design's. Both are marked as not calibrated.
    """
    if re.search(r"all-minilm-l6-v2$", model, re.IGNORECASE):
        return MINILM
    if re.search(r"text-embedding-3-small$", model, re.IGNORECASE):
        return DESIGN
    for part, unrelated in _UNRELATED:
        if re.search(part, model, re.IGNORECASE):
            return _scaled(unrelated)
    return Thresholds(DESIGN.knowledge, DESIGN.thoughts, DESIGN.floor)


def _scaled(unrelated: float) -> Thresholds:
    slope = (1 - unrelated) / (1 - _MINILM_UNRELATED)

    def moved(cosine: float) -> float:
        return round(1 - (1 - cosine) * slope, 2)

    t1, t2, t3 = (moved(cosine) for cosine in MINILM.knowledge)
    one, two, three, four, five = (moved(cosine) for cosine in MINILM.thoughts)
    return Thresholds((t1, t2, t3), (one, two, three, four, five), moved(MINILM.floor))


def version(*parts: str) -> str:
    """The version of a way of making vectors; the last part is the prefix of passages, told by its digest."""
    *fixed, prefix = parts
    digest = f"p{hashlib.sha256(prefix.encode()).hexdigest()[:8]}" if prefix else ""
    return "-".join(part for part in (*fixed, digest) if part)
