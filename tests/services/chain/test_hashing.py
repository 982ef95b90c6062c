"""The hashes of the chain do not change: RFC 8785's own vectors, and literal hashes of one record."""

import hashlib
import json
import struct
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785

from legacymind.services.chain import hashing
from legacymind.services.chain.hashing import (
    HASHED,
    canonical,
    chain_hash,
    content_digest,
    content_hash,
    genesis,
    utc,
)
from legacymind.services.shared.chain_keys import HASH_ALG

SALT = "000102030405060708090a0b0c0d0e0f"
CONTENT = "Grüße, 世界 👋\n"
HYPOTHESIS = "Smörgåsbord ≠ 🍽"
THOUGHT: dict[str, Any] = {
    "hash_version": 1,
    "id": "0190a6b2-7c1e-7d3a-9f00-1c2d3e4f5a6b",
    "namespace": "default",
    "session_id": "s-1",
    "step_index": 0,
    "thought_type": "decision",
    "mode": "plan",
    "origin": "tool",
    "author": "ada",
    "content_digest": "386d8e28ea14eb54375690ec0f1268b7b5c82b1ad77c1dcba0226a48cb54fbb0",
    "tags": ["plan", "idea"],
    "confidence": 0.75,
    "significance": 1.0,
    "hypothesis_digest": "9594c1a49917eeb1021d6a06b146cee07f6411df1958aadde3958e6cbad09ebc",
    "created_at": datetime(2026, 11, 21, 15, 4, 5, 6, timezone(timedelta(hours=1))),
    "recorded_at": datetime(2026, 11, 21, 15, 4, 5, 123456, UTC),
    "previous_thought_id": "p",
    "revises_thought": None,
    "branch_from": None,
    "parent_id": "q",
    "action_id": "a",
    "context_id": "c",
    "chain_id": "k",
    "submode": "sarcastic",
    "is_private": False,
    "redacts": "r",
    "expires_at": None,
    "door": None,  # as a step that was stored before these two
    "by": None,
}

# Hashes of stored thoughts must always verify. These were computed without LegacyMind's code; a change that
# alters one of them needs a new hash_version.
CONTENT_HASH = "a29e7d0bef921e0291420747c07911ea1d9c0cc880d6d50135882c35ff2c63e4"
WITH_ITS_DOOR = "958fc6b4c9ba20f57a84aa4957814a62321bf078ae2139ae9c2f04d918116be0"
GENESIS = "5f348fa8062bc1633c085f4588d60cd87509b8edb41a806bbdf3008c0181af4d"
CHAIN_HASH = "ec3756f7c3730605794a3f139f71766a4ced95c8a1b456e8b6e74f38e5756ffb"
RECORD = (
    '{"action_id":"a","author":"ada","chain_id":"k","confidence":0.75,'
    '"content_digest":"386d8e28ea14eb54375690ec0f1268b7b5c82b1ad77c1dcba0226a48cb54fbb0",'
    '"context_id":"c","created_at":"2026-11-21T14:04:05.000006Z","hash_version":1,'
    '"hypothesis_digest":"9594c1a49917eeb1021d6a06b146cee07f6411df1958aadde3958e6cbad09ebc",'
    '"id":"0190a6b2-7c1e-7d3a-9f00-1c2d3e4f5a6b","is_private":false,"mode":"plan",'
    '"namespace":"default","origin":"tool","parent_id":"q","previous_thought_id":"p",'
    '"recorded_at":"2026-11-21T15:04:05.123456Z","redacts":"r","session_id":"s-1","significance":1,'
    '"step_index":0,"submode":"sarcastic","tags":["plan","idea"],"thought_type":"decision"}'
)


def test_the_hashes_of_one_record_are_pinned() -> None:
    assert canonical({name: THOUGHT[name] for name in HASHED}).decode() == RECORD
    assert content_digest(SALT, CONTENT) == THOUGHT["content_digest"]
    assert content_digest(SALT, HYPOTHESIS) == THOUGHT["hypothesis_digest"]
    assert content_hash(THOUGHT) == CONTENT_HASH
    assert content_hash({**THOUGHT, "door": "mcp", "by": "laptop"}) == WITH_ITS_DOOR
    assert genesis("default", "s-1") == GENESIS
    assert chain_hash(GENESIS, CONTENT_HASH) == CHAIN_HASH
    assert (hashing.HASH_VERSION, HASH_ALG) == (1, "sha256")


def test_the_hashed_fields_are_those_of_the_specification() -> None:
    assert set(HASHED) == set(
        "hash_version id namespace session_id step_index thought_type mode origin author content_digest tags"
        " confidence significance hypothesis_digest created_at recorded_at previous_thought_id"
        " revises_thought branch_from parent_id action_id context_id chain_id submode is_private"
        " redacts expires_at door by".split()
    )


@pytest.mark.parametrize("name", sorted({*HASHED} - {"hash_version"}))
def test_every_hashed_field_changes_the_hash(name: str) -> None:
    value = THOUGHT[name]
    other = "other"
    if name == "tags":
        other = [*value, "x"]
    elif isinstance(value, int | float):
        other = not value if isinstance(value, bool) else value + 1
    assert content_hash({**THOUGHT, name: other}) != CONTENT_HASH
    if value is not None:
        assert content_hash({**THOUGHT, name: None}) != CONTENT_HASH


@pytest.mark.parametrize("version", [None, 0, 2, "1", 1.0, True])
def test_an_unknown_version_has_no_hash(version: object) -> None:
    with pytest.raises(ValueError, match="unknown hash version"):
        content_hash({**THOUGHT, "hash_version": version})


@pytest.mark.parametrize(
    "name",
    ["salience", "access_count", "embedding_a_at", "outcome_score", "title", "salt", "content", "hot"],
)
def test_data_that_memory_adds_to_a_thought_is_not_hashed(name: str) -> None:
    assert content_hash({**THOUGHT, name: "anything"}) == CONTENT_HASH


def test_the_order_of_tags_changes_the_hash_but_the_order_of_fields_does_not() -> None:
    assert content_hash({**THOUGHT, "tags": ["idea", "plan"]}) != CONTENT_HASH
    assert content_hash(dict(reversed(THOUGHT.items()))) == CONTENT_HASH


def test_a_missing_field_is_hashed_as_null() -> None:
    assert content_hash({name: value for name, value in THOUGHT.items() if value is not None}) == CONTENT_HASH


def test_a_chain_hash_depends_on_both_of_its_parts_and_their_order() -> None:
    assert chain_hash(CONTENT_HASH, GENESIS) != CHAIN_HASH
    assert chain_hash(GENESIS, GENESIS) != CHAIN_HASH
    assert bytes.fromhex(CHAIN_HASH) == hashlib.sha256(bytes.fromhex(GENESIS + CONTENT_HASH)).digest()


def test_a_genesis_belongs_to_one_session_of_one_namespace() -> None:
    starts = {genesis(n, s) for n in ("default", "other", "a", "ab") for s in ("s-1", "s-2", "b", "")}
    assert len(starts) == 16


def test_content_is_salted_so_that_a_redacted_one_cannot_be_guessed() -> None:
    assert content_digest(hashing.new_salt(), CONTENT) != content_digest(hashing.new_salt(), CONTENT)
    assert len(bytes.fromhex(hashing.new_salt())) == 16


def test_text_is_hashed_unchanged() -> None:
    """No Unicode normalisation: the text is stored byte for byte."""
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"
    assert content_digest(SALT, composed) != content_digest(SALT, decomposed)
    assert content_hash({**THOUGHT, "author": composed}) != content_hash({**THOUGHT, "author": decomposed})


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2026, 11, 21, 15, 4, 5, 6, UTC), "2026-11-21T15:04:05.000006Z"),
        (datetime(2026, 11, 21, 15, 4, 5, 0, UTC), "2026-11-21T15:04:05.000000Z"),
        (
            datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
            "2025-12-31T19:00:00.000000Z",
        ),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00.000000Z"),
        (datetime(987, 6, 5, tzinfo=UTC), "0987-06-05T00:00:00.000000Z"),
        (datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_times_are_utc_with_microseconds(moment: datetime, written: str) -> None:
    assert utc(moment) == written
    assert canonical({"t": moment}) == f'{{"t":"{written}"}}'.encode()


def test_the_sample_of_rfc_8785_section_3_2_2() -> None:
    sample = json.loads(
        r"""{
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }"""
    )
    assert canonical(sample).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        r'"string":"€$\u000f\nA'
        "'"
        r'B\"\\\\\"/"}'
    )


def test_the_sorting_of_rfc_8785_section_3_2_3() -> None:
    sample = json.loads(
        r"""{
          "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
          "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
          "\u00f6": "Latin Small Letter O With Diaeresis"
        }"""
    )
    assert list(json.loads(canonical(sample)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


@pytest.mark.parametrize(
    ("bits", "written"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555554", "333333333.33333325"),
        ("41b3de4355555555", "333333333.3333333"),
        ("41b3de4355555556", "333333333.3333334"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_the_numbers_of_rfc_8785_appendix_b(bits: str, written: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical({"n": number}).decode() == f'{{"n":{written}}}'


@pytest.mark.parametrize("bits", ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])
def test_nan_and_infinity_are_rejected(bits: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical({"n": number})
