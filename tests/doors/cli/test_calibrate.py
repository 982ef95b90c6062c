"""``legacymind calibrate`` as a person uses it: the real model, real texts."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legacymind import files
from legacymind.embed.known import MINILM
from tests.doors.cli.commands import Env, here, process
from tests.doors.cli.svg_rows import picture_rows


def legacymind(env: Env, *arguments: str, code: int = 0) -> str:
    done = here(env, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout or done.stderr


def answer(env: Env, *arguments: str, code: int = 0) -> dict[str, Any]:
    return json.loads(legacymind(env, *arguments, "--json", code=code))


@pytest.fixture(scope="module")
def env(real_env: Env, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Env]:
    """A namespace with a part of the seed; what a test keeps holds for the whole home, so it is dropped."""
    own = real_env | {"LEGACYMIND_NAMESPACE": f"calibrate-{uuid.uuid4()}"}
    folder = tmp_path_factory.mktemp("seed")
    for name, kind, most in (("knowledge", "entity", 60), ("thoughts", "thought", 120)):
        header, *rest = files.path("seed", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        lines: list[dict[str, Any]] = [
            line for line in map(json.loads, rest) if line["kind"] == kind and "is_private" not in line
        ][:most]
        for line in lines:
            if "id" in line:  # ids are unique in the whole database, where a demo may have put the seed
                line["id"] = f"{own['LEGACYMIND_NAMESPACE']}/{line['id']}"
        part = folder / f"{name}.jsonl"
        part.write_text("\n".join([header, *map(json.dumps, lines)]), encoding="utf-8")
        legacymind(own, "import", str(part))
    yield own
    legacymind(own, "calibrate", "--reset")


def test_what_is_shown_when_piped_is_plain_text_of_80_columns(env: Env, tmp_path: Path) -> None:
    picture = tmp_path / "calibration.svg"
    done = process(env, "calibrate", "--svg", str(picture))
    assert done.returncode == 0, done.stderr
    shown = done.stdout
    lines = shown.splitlines()
    assert all(character.isprintable() for line in lines for character in line)
    assert all(len(line) <= 80 for line in lines[1:-3])
    assert (
        f"120 thoughts and 60 pieces of knowledge of the namespace {env['LEGACYMIND_NAMESPACE']}" in lines[0]
    )
    assert any(line.startswith("s1 ") and "the model's" in line for line in lines)
    assert lines[-1] == "Nothing was stored; --store keeps the proposed thresholds."
    drawn = picture_rows(picture.read_text(encoding="utf-8"))
    assert [*drawn.values()] == [line.rstrip() for line in lines[:-1] if line]


def test_what_is_stored_is_used_from_then_on_and_taken_away_again(env: Env) -> None:
    def thresholds(**more: str) -> tuple[float, float]:
        told = answer(
            env | more, "think", "Why did the tank fail?", "--verbose-analysis", "--injection-scale", "2"
        )
        return told["telemetry"]["threshold_knowledge"], told["telemetry"]["threshold_thoughts"]

    own = (MINILM.knowledge[1], MINILM.thoughts[1])
    assert thresholds() == own
    before = answer(env, "calibrate")
    assert before["kept_at"] is None
    found = answer(env, "calibrate", "--store")
    proposed = {one["name"]: one["proposed"] for one in found["thresholds"]}
    assert (proposed["t2"], proposed["s2"]) != own
    for one in found["thresholds"]:
        assert one["estimated"] or one["share"] == pytest.approx(one["reference_share"], rel=0.05)
    assert thresholds() == (round(proposed["t2"], 4), round(proposed["s2"], 4))
    assert thresholds(LEGACYMIND_INJECT_T2="0.31") == (0.31, round(proposed["s2"], 4))
    assert answer(env, "status")["embedding"]["calibrated_at"] == found["kept_at"].replace("Z", "+00:00")
    assert {one["source"] for one in answer(env, "calibrate")["thresholds"]} == {"calibration"}
    assert answer(env, "calibrate", "--reset") == {"dropped": True}
    assert "calibrated_at" not in answer(env, "status")["embedding"]
    assert thresholds() == own


def test_too_little_and_what_makes_no_sense_is_refused(env: Env, tmp_path: Path) -> None:
    empty = env | {"LEGACYMIND_NAMESPACE": f"empty-{uuid.uuid4()}"}
    error = answer(empty, "calibrate", "--store", code=1)["error"]
    assert error["code"] == "invalid_input"
    assert "0 different thoughts" in error["message"]
    assert "cannot be written" in legacymind(
        env, "calibrate", "--svg", str(tmp_path / "no" / "x.svg"), code=1
    )
    assert "goes alone" in legacymind(env, "calibrate", "--reset", "--store", code=2)
    assert "--namespace or --all" in legacymind(env, "calibrate", "--all", "--namespace", "x", code=2)
