"""The provider openai with a server on a real socket: its requests, and its reading of responses."""

import asyncio
import base64
import json
import logging
import math
import os
import re
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import pytest

from legacymind.embed import make_embedder
from legacymind.embed import openai as module
from legacymind.embed.openai import OpenAI
from legacymind.embed.presets import DESIGN
from legacymind.errors import ConfigurationError, EmbeddingError, LegacyMindError
from legacymind.settings import Settings, load_settings
from tests.embed.fake_openai import Act, Body, FakeOpenAI, changed, failing, hang_up, raw_response
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio

KEY = "sk-proj-aB3dEfGh1jKlMn0pQrStUv"


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI().up() as up:
        yield up


@pytest.fixture
async def embedder(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenAI]:
    """An embedder of 384 dimensions at the fake server, with a timeout of half a second."""
    monkeypatch.setattr(module, "_READ", 0.5)
    made = OpenAI(settings(server))
    yield made
    await made.close()


def settings(server: FakeOpenAI | None, **more: Any) -> Settings:
    url = server.url if server else ""
    given: dict[str, Any] = {"embedding_dimensions": 384, "openai_api_key": KEY, "openai_base_url": url}
    return Settings(embedding_provider="openai", **(given | more))


@pytest.mark.parametrize(
    ("name", "value"),
    [("ALL_PROXY", "socks5://127.0.0.1:1"), ("HTTPS_PROXY", "::no"), ("SSL_CERT_FILE", "/nonexistent")],
)
async def test_a_proxy_that_cannot_be_used_is_a_configuration_error(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match="proxy or certificates") as raised:
        await OpenAI(settings(None)).embed(["x"])
    assert name in raised.value.hint


def near(found: list[list[float]], texts: list[str]) -> bool:
    """Whether these are the fake server's vectors of the texts."""
    return all(
        max(abs(x - y) for x, y in zip(a, b, strict=True)) < 1e-6
        for a, b in zip(found, FakeEmbedder.of(texts), strict=True)
    )


async def test_a_request_has_model_key_and_dimensions_and_the_result_unit_vectors(
    server: FakeOpenAI, embedder: OpenAI
) -> None:
    texts = ["a copper kettle", "an iron pot"]
    found = await embedder.embed(texts)
    assert near(found, texts)
    (sent,) = server.seen
    assert (sent["model"], sent["input"], sent["dimensions"]) == ("text-embedding-3-small", texts, 384)
    assert server.paths == ["/v1/embeddings"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    for vector in found:
        assert math.fsum(x * x for x in vector) == pytest.approx(1, abs=1e-6)
    assert embedder.info.dimensions == 384
    assert await embedder.embed([]) == []


async def test_vectors_are_ordered_by_index_and_normalised(server: FakeOpenAI, embedder: OpenAI) -> None:
    def jumbled(told: Body) -> None:
        told["data"].reverse()
        for item in told["data"]:
            item["embedding"] = [x * 3 for x in item["embedding"]]

    server.acts = [changed(jumbled)]
    texts = ["one kettle", "two pots", "three pans"]
    assert near(await embedder.embed(texts), texts)


async def test_requests_are_limited_in_texts_and_bytes(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 3)
    embedder = OpenAI(settings(server, embed_window=100_000))
    texts = [f"text {number}" for number in range(7)]
    assert near(await embedder.embed(texts), texts)
    assert [len(sent["input"]) for sent in server.seen] == [3, 3, 1]
    server.seen.clear()
    large = ["x" * 90_000] * 4
    roomy = OpenAI(settings(server, embed_window=100_000))
    await roomy.embed(large)
    assert [len(sent["input"]) for sent in server.seen] == [2, 2]
    await embedder.close()
    await roomy.close()


async def test_a_long_text_is_sent_in_windows_and_has_one_vector(server: FakeOpenAI) -> None:
    embedder = OpenAI(settings(server, embed_window=64))
    (vector,) = await embedder.embed(["The kettle is made of copper. " * 3 + "The pot is of iron."])
    (sent,) = server.seen
    assert len(sent["input"]) == 2
    assert all(len(text.encode()) <= 64 for text in sent["input"])
    first, second = FakeEmbedder.of(sent["input"])
    sizes = [len(text.encode()) for text in sent["input"]]
    mean = [sizes[0] * x + sizes[1] * y for x, y in zip(first, second, strict=True)]
    length = math.sqrt(math.fsum(x * x for x in mean))
    assert vector == pytest.approx([x / length for x in mean], abs=1e-6)
    await embedder.close()


async def test_blank_texts_and_lone_surrogates_can_be_sent(server: FakeOpenAI, embedder: OpenAI) -> None:
    assert len(await embedder.embed(["", " \n", "a \ud800 b"])) == 3
    assert all(text.strip() for text in server.seen[0]["input"])


async def test_queries_and_passages_get_the_prefixes_of_the_model_or_the_settings(
    server: FakeOpenAI,
) -> None:
    nomic = OpenAI(settings(server, embedding_model="nomic-embed-text"))
    await nomic.embed(["pot"])
    await nomic.embed(["pot"], query=True)
    own = OpenAI(
        settings(server, embedding_model="acme", embed_query_prefix="Q: ", embed_passage_prefix="P: ")
    )
    await own.embed(["pot"], query=True)
    await own.embed(["pot"])
    assert [sent["input"] for sent in server.seen] == [
        ["search_document: pot"],
        ["search_query: pot"],
        ["Q: pot"],
        ["P: pot"],
    ]
    # Queries are not stored, so their prefix is no part of the fingerprint.
    asked = OpenAI(settings(server, embedding_model="acme", embed_query_prefix="other: "))
    plain = OpenAI(settings(server, embedding_model="acme"))
    assert asked.info == plain.info != own.info
    for each in (nomic, own):
        await each.close()


async def test_an_unknown_model_gets_no_dimensions(server: FakeOpenAI) -> None:
    embedder = OpenAI(settings(server, embedding_model="acme"))
    await embedder.embed(["pot"])
    assert "dimensions" not in server.seen[0]
    await embedder.close()


@pytest.mark.parametrize(
    "acts",
    [
        [failing(429, Retry_After="1")],
        [failing(500), failing(503)],
        [hang_up],
        [failing(408)],
    ],
    ids=["429", "500 twice", "cut", "408"],
)
async def test_transient_errors_are_retried(
    server: FakeOpenAI, embedder: OpenAI, acts: list[Act], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(delay: float) -> None:
        waits.append(delay)

    monkeypatch.setattr("anyio.sleep", sleep)  # with which the SDK waits
    server.acts = list(acts)
    assert near(await embedder.embed(["pot"]), ["pot"])
    assert len(server.seen) == len(acts) + 1
    assert len(waits) == len(acts)
    if (told := acts[0]({})) and "Retry-After" in told[1]:
        assert waits == [1.0]


async def test_a_server_that_asks_for_a_long_wait_is_not_waited_for(
    server: FakeOpenAI, embedder: OpenAI
) -> None:
    for asked, status in (("60", 429), ("16.2", 503)):
        server.acts = [failing(status, Retry_After=asked)]
        with pytest.raises(EmbeddingError, match=str(status)) as refused:
            await embedder.embed(["pot"])
        assert refused.value.retry_after == math.ceil(float(asked))
    assert len(server.seen) == 2


FAILURES: dict[str, tuple[list[Act], float, str, int]] = {
    "bad key": ([failing(401, f"Incorrect API key provided: {KEY}")], 0, r"answered 401\. Set", 1),
    "forbidden": ([failing(403, f"{KEY} may not")], 0, r"answered 403\. Set", 1),
    "no such model": (
        [failing(404, f"no model for {KEY}")],
        0,
        r"answered 404: no model for \[key\]",
        1,
    ),
    "bad request": ([failing(400, f"too long for {KEY}")], 0, r"400: too long for \[key\]", 1),
    "quota": ([failing(429, f"{KEY} is out of quota")] * 3, 0, r"429: \[key\] is out of quota", 3),
    "down": ([failing(500, f"trace {KEY}")] * 3, 0, r"answered 500: trace \[key\]", 3),
    "cut off": ([hang_up] * 3, 0, "cannot be reached or closed the connection", 3),
    "slow": ([], 1.0, "did not answer within", 3),
    "not JSON": ([raw_response(b"<html>" + KEY.encode())], 0, "is not valid", 1),
    "half a JSON": ([raw_response(b'{"data": [{"index": 0, "emb')], 0, "is not valid", 1),
    "another JSON": ([raw_response(json.dumps({"answer": KEY}).encode())], 0, "is not valid", 1),
    "a list": ([raw_response(b"[1, 2]")], 0, "is not valid", 1),
    "null": ([raw_response(b"null")], 0, "is not valid", 1),
    "no vectors": ([raw_response(b'{"object": "list", "data": []}')], 0, "is not valid", 1),
    "bad base64": (
        [raw_response(b'{"data": [{"index": 0, "embedding": "@@@"}, {"index": 1, "embedding": "@"}]}')],
        0,
        "is not valid",
        1,
    ),
    "too few": ([changed(lambda told: told["data"].pop())], 0, "1 vectors for 2 texts", 1),
    "too many": ([changed(lambda told: told["data"].append(told["data"][0]))], 0, "3 vectors for 2", 1),
    "one index twice": (
        [changed(lambda told: told["data"][0].update(index=1))],
        0,
        "or wrong indexes",
        1,
    ),
    "no index": ([changed(lambda told: told["data"][0].pop("index"))], 0, "is not valid", 1),
    "wrong dimensions": (
        [changed(lambda told: [item["embedding"].pop() for item in told["data"]])],
        0,
        "vectors of 383 dimensions, but 384 are configured",
        1,
    ),
    "mixed dimensions": (
        [changed(lambda told: told["data"][1]["embedding"].append(1.0))],
        0,
        "vectors of 385 dimensions",
        1,
    ),
    "a zero vector": (
        [changed(lambda told: told["data"][0].update(embedding=[0.0] * 384))],
        0,
        "a vector is zero or has values",
        1,
    ),
    "not a number": (
        [changed(lambda told: told["data"][0].update(embedding=[math.nan] * 384))],
        0,
        "a vector is zero or has values",
        1,
    ),
    "words": (
        [changed(lambda told: told["data"][0].update(embedding=["a"] * 384))],
        0,
        "is not valid",
        1,
    ),
}


REPEATED: Final = {"quota", "cut off", "slow"}
"""Failures that are tried three times with waits, as "down" is, which every run has."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in REPEATED else []) for name in FAILURES],
)
async def test_each_failure_has_its_message_without_the_key(
    name: str, server: FakeOpenAI, embedder: OpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    server.acts, server.delay, told, attempts = [*FAILURES[name][0]], *FAILURES[name][1:]
    with caplog.at_level(logging.DEBUG), pytest.raises(EmbeddingError, match=told) as caught:
        await embedder.embed(["a kettle", "a pot"])
    assert caught.value.hint
    assert len(server.seen) == attempts
    secrets = {KEY, KEY[8:]}
    printed = "".join(traceback.format_exception(caught.value))
    for secret in secrets:
        assert secret not in f"{printed} {caplog.text} {embedder!r} {embedder.info}"
    chained: BaseException | None = caught.value
    while chained is not None:
        assert KEY not in f"{chained!r} {chained}"
        chained = chained.__cause__ or chained.__context__
    server.delay = 0.0
    assert near(await embedder.embed(["a kettle"]), ["a kettle"])  # the next call works


PACKED = base64.b64encode(KEY.encode()).decode()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("x" * 270 + f" Bearer {KEY}", "x" * 270 + " Bearer [key]"),
        ("x" * 290 + KEY, "x" * 290 + "[key]"),
        (f"got {KEY.upper()} and {KEY.lower()}", "got [key] and [key]"),
        (f"Authorization: Basic {PACKED}", "Authorization: Basic [key]"),
        (f"in base64 {PACKED.rstrip('=')}.", "in base64 [key]"),
        ("another's: sk-proj-9f8e7d6c5b4a, Bearer ey.J0.x", "another's: [key] Bearer [key]"),
        ("basic dXNlcjp1cmxwYXNz", "basic [key]"),
        ("Bearer authentication is wanted, no task-force", "Bearer authentication is wanted, no task-force"),
    ],
)
async def test_no_part_of_a_key_is_in_an_error_even_if_the_server_quotes_it(
    said: str, told: str, server: FakeOpenAI, embedder: OpenAI
) -> None:
    server.acts = [failing(400, said)]
    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed(["a kettle"])
    assert caught.value.what.endswith(f"answered 400: {told}.")


async def test_a_key_with_characters_that_urls_escape_is_in_no_error(server: FakeOpenAI) -> None:
    server.acts = [failing(400, "GET /?key=top%2Fs3cret%3d: no")]
    embedder = OpenAI(settings(server, openai_api_key="top/s3cret="))
    with pytest.raises(EmbeddingError, match=re.escape("?key=[key]: no.")):
        await embedder.embed(["a kettle"])
    await embedder.close()


async def test_the_error_for_an_unreachable_server_has_only_its_address(server: FakeOpenAI) -> None:
    given = settings(server, openai_base_url="http://127.0.0.1:9/v1?token=s3cret")
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1:9 cannot be reached") as caught:
        await OpenAI(given).embed(["pot"])
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"openai_api_key": "", "openai_base_url": ""}, "has no key"),
        ({"openai_api_key": f"{KEY}\nX: y"}, "OPENAI_API_KEY contains"),
        ({"openai_api_key": f"{KEY}é"}, "OPENAI_API_KEY contains"),
        ({"openai_base_url": "localhost:1234"}, "not the address of a web server"),
        ({"openai_base_url": "http://[::1"}, "not the address of a web server"),
        ({"openai_base_url": f"http://user:{KEY}@127.0.0.1:9/v1"}, "BASE_URL contains a user or a password"),
        ({"openai_base_url": f"http://{KEY}@127.0.0.1:9/v1"}, "BASE_URL contains a user or a password"),
    ],
)
async def test_invalid_settings_are_reported_before_anything_is_sent(
    server: FakeOpenAI, more: dict[str, Any], told: str
) -> None:
    embedder = OpenAI(settings(server, **more))
    for attempt in (embedder.embed(["pot"]), embedder.fetch()):
        with pytest.raises(ConfigurationError, match=told) as caught:
            await attempt
        assert KEY not in str(caught.value)
    assert not server.seen


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"embedding_model": "acme", "embedding_dimensions": 0}, "dimensions of 'acme' are unknown"),
        ({"embedding_dimensions": 2000}, "cannot give vectors of 2000 dimensions"),
        (
            {"embedding_model": "acme", "embedding_dimensions": 5000},
            "must be a whole number between 0 and 4,096",
        ),
        ({"embedding_model": "text-embedding-ada-002"}, "always gives 1536"),
        ({"embedding_dimensions": -1}, "must be a whole number between 0 and 4,096"),
    ],
)
def test_impossible_dimensions_are_rejected(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        OpenAI(settings(None, **more))


def test_the_default_is_the_small_model_at_full_size_with_the_thresholds_of_the_design() -> None:
    embedder = make_embedder(Settings(embedding_provider="openai", openai_api_key=KEY))
    assert (embedder.info.model, embedder.info.dimensions) == ("text-embedding-3-small", 1536)
    assert embedder.thresholds == DESIGN
    short = OpenAI(Settings(embedding_dimensions=512, openai_api_key=KEY))
    assert short.thresholds == replace(DESIGN, calibrated=False)
    assert OpenAI(Settings(embedding_model="text-embedding-3-large")).info.dimensions == 3072


async def test_a_users_own_server_needs_no_key(server: FakeOpenAI) -> None:
    embedder = OpenAI(settings(server, openai_api_key=""))
    await embedder.embed(["pot"])
    assert KEY not in server.headers[0]["authorization"]
    await embedder.close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits of the rate limit, in seconds, on a clock that does not advance; nothing really waits."""
    seconds: list[float] = []

    async def sleep(delay: float) -> None:
        seconds.append(delay)

    monkeypatch.setattr("legacymind.embed.openai.time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(
        "legacymind.embed.openai.asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep})
    )
    return seconds


async def test_concurrent_calls_share_the_rate_limit(
    server: FakeOpenAI, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 1)
    embedder = OpenAI(settings(server, embed_rps=10.0))
    await asyncio.gather(embedder.embed(["a", "b", "c"]), embedder.embed(["d", "e"]))
    assert len(server.seen) == 5
    assert waits == pytest.approx([0.1, 0.2, 0.3, 0.4])
    await embedder.close()


async def test_repeated_requests_count_for_the_rate_limit(server: FakeOpenAI, waits: list[float]) -> None:
    at_once = failing(429, retry_after_ms="1")
    server.acts = [at_once, at_once]
    embedder = OpenAI(settings(server, embed_rps=5.0))
    assert near(await embedder.embed(["a"]), ["a"])
    await embedder.embed(["b"])
    assert len(server.seen) == 4
    assert waits == pytest.approx([0.2, 0.4, 0.6])
    await embedder.close()


def test_without_the_sdk_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> None: ...

    monkeypatch.setattr(module, "find_spec", none)
    with pytest.raises(ConfigurationError, match=r"legacymind\[openai\]"):
        asyncio.run(OpenAI(Settings(openai_api_key=KEY)).fetch())


def test_choosing_openai_loads_nothing_and_the_key_comes_only_from_the_environment() -> None:
    program = (
        "import sys\n"
        "from legacymind.embed import make_embedder\n"
        "from legacymind.settings import load_settings\n"
        "settings = load_settings()\n"
        "made = make_embedder(settings)\n"
        "heavy = {'numpy', 'openai', 'httpx2', 'fastembed'}\n"
        "print(sorted(heavy & set(sys.modules)), repr(settings), settings, made.inner, vars(made))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"OPENAI_API_KEY": KEY, "LEGACYMIND_EMBEDDING_PROVIDER": "openai"},
    )
    assert run.stdout.startswith("[] Settings(")
    assert KEY not in run.stdout + run.stderr


def test_texts_leave_the_machine_only_when_the_provider_is_openai() -> None:
    with_key = load_settings({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert make_embedder(with_key).info.provider == "minilm"
    with pytest.raises(LegacyMindError, match="`embedding_provider` must be"):
        with_key.changed(embedding_provider="OpenAI")


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Only 'float' is supported for encoding_format"),
        (422, "body.encoding_format: Extra inputs are not permitted"),
        (400, "base64 encoded embeddings are not supported"),
    ],
)
async def test_a_server_that_refuses_base64_is_asked_for_numbers_from_then_on(
    server: FakeOpenAI, embedder: OpenAI, status: int, message: str
) -> None:
    server.acts = [failing(status, message)]
    assert near(await embedder.embed(["one"]), ["one"])
    assert near(await embedder.embed(["two"]), ["two"])
    assert [body["encoding_format"] for body in server.seen] == ["base64", "float", "float"]


async def test_numbers_that_are_refused_too_are_an_error(server: FakeOpenAI, embedder: OpenAI) -> None:
    server.acts = [failing(400, "no encoding_format")] * 2
    with pytest.raises(EmbeddingError, match="answered 400: no encoding_format"):
        await embedder.embed(["one"])
    assert len(server.seen) == 2


async def test_parameters_of_the_address_are_sent_with_each_request(server: FakeOpenAI) -> None:
    opened = OpenAI(settings(server).changed(openai_base_url=f"{server.url}?tenant=a%26b&empty="))
    await opened.embed(["one"])
    await opened.close()
    assert server.paths == ["/v1/embeddings?tenant=a%26b&empty="]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("openai", "/openai/deployments/text-embedding-3-small/embeddings"),
        ("openai/deployments/mine", "/openai/deployments/mine/embeddings"),
    ],
)
async def test_an_address_with_an_api_version_is_azures(server: FakeOpenAI, path: str, sent: str) -> None:
    url = f"{server.url.removesuffix('v1')}{path}?api-version=2024-10-21"
    opened = OpenAI(settings(server).changed(openai_base_url=url))
    await opened.embed(["one"])
    await opened.close()
    assert server.paths == [f"{sent}?api-version=2024-10-21"]
    assert server.headers[0]["api-key"] == KEY
    assert "authorization" not in server.headers[0]
