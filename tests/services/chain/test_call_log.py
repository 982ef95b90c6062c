"""The log of calls has a line for each call, no content, and shows a line that was changed or is missing."""

import json
from pathlib import Path

import pytest

from legacymind.calls import calling
from legacymind.errors import ChainBroken, RequestRefused
from legacymind.mind import Mind
from legacymind.observe import observed_by
from legacymind.services.chain import call_log
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def logged(settings: Settings, tmp_path: Path) -> Settings:
    """Settings with a home of its own for the log, and a key."""
    return settings.changed(home=str(tmp_path), chain_key="k" * 40)


async def _call(mind: Mind, logged: Settings) -> list[str]:
    with (
        observed_by(call_log.CallLog(logged)),
        calling(name="token ab", agent=True, door="mcp", role="write"),
    ):
        await mind.operations["think"].call({"content": "The vault code is 9921.", "session_id": "s"})
        with pytest.raises(RequestRefused):
            await mind.operations["maintenance_ops"].call({"subcommand": "prune"})
    return call_log.path(logged).read_text(encoding="utf-8").splitlines()


async def test_each_call_has_a_line_without_content(mind: Mind, logged: Settings) -> None:
    lines = await _call(mind, logged)
    assert not any("9921" in line for line in lines)
    told = [json.loads(line) for line in lines]
    assert [(one["operation"], one["outcome"]) for one in told] == [
        ("think", "done"),
        ("maintenance_ops", "refused"),
    ]
    assert {one["by"] for one in told} == {"token ab"}
    assert (told[0]["door"], told[0]["trust"], told[0]["role"]) == ("mcp", 2, "write")
    await _call(mind, logged)
    assert call_log.verified(logged) == 4


@pytest.mark.parametrize("change", ["edited", "removed", "swapped"])
async def test_a_changed_or_missing_line_is_found(mind: Mind, logged: Settings, change: str) -> None:
    await _call(mind, logged)
    lines = await _call(mind, logged)
    assert call_log.verified(logged) == 4
    changed = {
        "edited": [lines[0], lines[1].replace("token ab", "token cd"), *lines[2:]],
        "removed": [lines[0], *lines[2:]],
        "swapped": [lines[1], lines[0], *lines[2:]],
    }[change]
    call_log.path(logged).write_text("\n".join(changed) + "\n", encoding="utf-8")
    with pytest.raises(ChainBroken):
        call_log.verified(logged)
