"""The commands of docs/memory/knowledge.md run one after the other and print what the page describes."""

import re

from tests.docs.pages import outputs


def test_every_command_runs(real_env: dict[str, str]) -> None:
    stored, _, near, now, then, history, _, planned, _, merged, _, pairs, _, _, about = outputs(
        "knowledge", real_env
    )
    assert re.search(r"created +4\n", stored)
    assert "Ada lives in Lyon" in now
    assert "-WORKS_ON-> Engine" in now
    assert "Lyon" not in then
    assert '"content":"Ada lives in Lyon","said_by":"user","source":"letter"' in history
    assert "A. Lovelace" in planned
    assert re.search(r"dry run +yes", planned)
    assert "Ada lives in Lyon" in merged
    assert "Ada reads Euler" in merged
    assert '"reason":"One person"' in merged
    assert ("name Postgres," in pairs, "name PostgreSQL" in pairs) == (True, True)
    assert re.search(r"compared +4", pairs)
    assert "another tonne of pitchblende" in about
    assert "The weight of the engine is 15 t" in near
