"""Prefixes and thresholds of models by name."""

import pytest

from legacymind.embed.presets import DESIGN, E5, MINILM, prefixes, thresholds


@pytest.mark.parametrize(
    ("model", "passage", "query"),
    [
        ("BAAI/bge-small-en-v1.5", "", "Represent this sentence for searching relevant passages: "),
        ("BAAI/bge-base-en", "", "Represent this sentence for searching relevant passages: "),
        ("BAAI/bge-small-zh-v1.5", "", "为这个句子生成表示以用于检索相关文章："),
        ("intfloat/multilingual-e5-large", "passage: ", "query: "),
        ("nomic-embed-text", "search_document: ", "search_query: "),
        ("nomic-ai/nomic-embed-text-v1.5-Q", "search_document: ", "search_query: "),
        (
            "snowflake/snowflake-arctic-embed-m-long",
            "",
            "Represent this sentence for searching relevant passages: ",
        ),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "", "query: "),
        ("google/embeddinggemma-300m", "title: none | text: ", "task: search result | query: "),
        ("text-embedding-3-small", "", ""),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("jinaai/jina-embeddings-v3", "", ""),
        ("thenlper/gte-large", "", ""),
    ],
)
def test_a_model_gets_the_prefixes_of_its_model_card(model: str, passage: str, query: str) -> None:
    found = prefixes(model)
    assert (found.passage, found.query) == (passage, query)


def test_only_measured_thresholds_are_marked_as_measured() -> None:
    assert thresholds("text-embedding-3-small") == DESIGN
    assert thresholds("sentence-transformers/all-MiniLM-L6-v2") == MINILM
    assert thresholds("intfloat/e5-small-v2") == thresholds("e5-small-v2") == E5
    unknown = thresholds("acme/notes")
    assert (unknown.knowledge, unknown.thoughts, unknown.floor) == (
        DESIGN.knowledge,
        DESIGN.thoughts,
        DESIGN.floor,
    )
    guessed = [
        unknown,
        *map(
            thresholds,
            (
                "BAAI/bge-small-en-v1.5",
                "thenlper/gte-base",
                "intfloat/e5-large",
                "acme/multilingual-e5-small-v2",
            ),
        ),
    ]
    assert not any(each.calibrated for each in guessed)


def test_thresholds_are_higher_for_models_with_near_unrelated_texts() -> None:
    bge = thresholds("BAAI/bge-small-en-v1.5")
    assert bge.knowledge == (0.68, 0.74, 0.81)
    assert 0.47 < bge.floor < 0.6
    for model in ("BAAI/bge-small-en-v1.5", "intfloat/multilingual-e5-large", "text-embedding-ada-002"):
        found = thresholds(model)
        assert found.floor < found.knowledge[0] < found.knowledge[1] < found.knowledge[2] < 1
        assert list(found.thoughts) == sorted(found.thoughts, reverse=True)
