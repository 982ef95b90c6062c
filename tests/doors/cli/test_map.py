"""`legacymind map` draws what the last analysis found."""

import sys
from pathlib import Path

import pytest

from legacymind.doors.cli import show
from legacymind.mind import Mind
from legacymind.services.analysis.analysis import STORE_ANALYSIS
from legacymind.settings import Settings
from tests.doors.cli.commands import environment, here
from tests.steps import store_thought

pytestmark = pytest.mark.anyio


async def test_a_map_has_every_community_with_its_label_in_both_formats(mind: Mind, tmp_path: Path) -> None:
    env = environment(mind.settings)
    refused = here(env, "map", str(tmp_path / "empty.svg"))
    assert refused.returncode == 3
    assert "has no communities. Run `legacymind analyze` first." in refused.stderr
    for number, label in enumerate(("$kiln & pots$", "<bread>"), 1):
        ids = [await store_thought(mind, f"{label} {n}", session_id=label) for n in range(12)]
        await mind.graph.run(
            STORE_ANALYSIS,
            {
                "namespace": mind.settings.namespace,
                "rows": [
                    {"id": one, "properties": {"community": number, "community_label": label, "mass": 1.0}}
                    for one in ids
                ],
            },
        )
    await store_thought(mind, "xylophone", is_private=True, session_id="private")
    drawn = await mind.read_map(nodes=20)
    assert [(one.label, one.size, len(one.members)) for one in drawn.communities] == [
        ("$kiln & pots$", 12, 10),
        ("<bread>", 12, 10),
    ]
    shown = {member.id for one in drawn.communities for member in one.members}
    assert drawn.links
    assert all({*pair} <= shown for pair in drawn.links)
    pictures = [tmp_path / name for name in ("map.svg", "map.png", "again.svg")]
    for file in pictures:
        done = here(env, "map", str(file), "--nodes", "20")
        assert (done.returncode, done.stderr) == (0, "")
        assert "Drew 20 nodes of 2 communities" in done.stdout
    svg, png, again = (file.read_bytes() for file in pictures)
    assert b"$kiln &amp; pots$ (12)" in svg
    assert b"&lt;bread&gt; (12)" in svg
    assert b"xylophone" not in svg
    assert svg == again
    assert png.startswith(b"\x89PNG")


def test_a_map_needs_its_extra_and_a_format_it_knows(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = environment(settings)
    assert "ends in .svg or .png" in here(env, "map", str(tmp_path / "map.pdf")).stderr
    monkeypatch.delitem(sys.modules, "legacymind.doors.cli.show.map_drawing", raising=False)
    monkeypatch.delattr(show, "map_drawing", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = here(env, "map", str(tmp_path / "map.svg"))
    assert done.returncode == 7
    assert "pip install 'legacymind[map]'" in done.stderr
