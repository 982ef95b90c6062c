"""The commands of memory-over-time.md run one after the other and print what the page describes."""

import re

from tests.docs.pages import outputs


def test_every_command_runs(real_env: dict[str, str]) -> None:
    (
        _,
        thought,
        young,
        plan,
        pruned,
        verified,
        *told,
        judged,
        curated,
        found,
        chained,
        restored,
        fleeting,
        kept,
        redacted,
        links,
        sound,
        help,
    ) = outputs("memory-over-time", real_env)
    assert "The kiln cracks when it is heated too fast." in thought
    assert "Found 0 weak, unused recalls of 0 old thoughts." in young
    assert "Found 1 weak, unused recall of 2 old thoughts. Nothing was changed." in plan
    assert "Removed 1 weak, unused recall of 2 old thoughts." in pruned
    assert "Chain intact" in verified
    assert len(told) == 3
    assert "crystallise" in judged
    assert re.search(r"applied +no\njudged +5\n", judged)
    assert re.search(r"applied +yes\n(.+\n)*crystallised +3\n", curated)
    assert "Summary of 3 thoughts" in found
    assert "Chain intact: 4 thoughts" in chained
    assert re.search(r"restored +3\n", restored)
    assert "question" in fleeting
    assert "Found 0 expired thoughts. Nothing was changed." in kept
    assert "Redacted 0 expired thoughts." in redacted
    assert "0 links and 0 of the indexes were missing." in links
    assert "0 not intact." in sound
    assert "ensure_continuity_fields" in help
