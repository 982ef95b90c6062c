"""Texts that are hard to cut or to find: without spaces, as JSON, and an address among notes."""

import json
import unicodedata
from collections.abc import AsyncIterator

import pytest

from legacymind.mind import Mind
from legacymind.model.base import ObservationInput
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


RESPONSE = json.dumps({"items": [{"id": number, "ok": True} for number in range(90)]}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("billing API", f"Response of the billing API: {RESPONSE}"),
        ("memo", "memo 用户身份验证失败后系统会锁定账户需要管理员手动解除" * 40),
        ("memo", "memo " + "ระบบจะล็อกบัญชีผู้ใช้หลังจากการยืนยันตัวตนล้มเหลว" * 20),
        ("memo", "memo " + "用户身份验证失败后系统会锁定账户，需要管理员手动解除，" * 40),
    ],
)
async def test_an_excerpt_has_as_much_text_as_fits_and_ends_at_a_character(
    mind: Mind, query: str, text: str
) -> None:
    await mind.remember(observations=[ObservationInput(entity="api", content=text)])
    await text_indexed(mind)
    (hit,) = [hit for hit in (await mind.search(query, method="text")).hits if hit.kind == "observation"]
    shown = hit.text.removesuffix("…").replace("**", "")
    assert len(shown) >= 200
    assert text.startswith(shown)
    following = text[len(shown) :][:1]
    assert not unicodedata.category(following or "x").startswith("M")


async def test_an_address_is_found_among_notes_with_others(mind: Mind) -> None:
    notes = [
        f"Note {number}. The server in row {number % 7} has the address 10.0.{number % 9}.{number}. Nobody "
        "had changed the configuration since Monday."
        for number in range(150)
    ]
    notes[33] = "The printer has the address 10.0.3.77, as the label says."
    await mind.remember(observations=[ObservationInput(entity="log", content=note) for note in notes])
    await text_indexed(mind)
    found = await mind.search("10.0.3.77", method="text")
    assert [hit.text.replace("**", "") for hit in found.hits] == [notes[33]]
