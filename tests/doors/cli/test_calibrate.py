"""``legacymind calibrate`` with the real model and real texts."""

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from legacymind import files
from legacymind.embed.presets import MINILM
from tests.doors.cli.commands import Env, here


def legacymind(env: Env, *arguments: str, code: int = 0) -> str:
    done = here(env, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout or done.stderr


def answer(env: Env, *arguments: str, code: int = 0) -> dict[str, Any]:
    return json.loads(legacymind(env, *arguments, "--json", code=code))


@pytest.fixture(scope="module")
def env(real_env: Env, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Env]:
    """A namespace with a part of the seed. Thresholds apply to the whole home, so they are reset."""
    own = real_env | {"LEGACYMIND_NAMESPACE": f"calibrate-{uuid.uuid4()}"}
    folder = tmp_path_factory.mktemp("seed")
    for name, kind, most in (("knowledge", "entity", 60), ("thoughts", "thought", 120)):
        header, *rest = files.path("seed", f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        lines: list[dict[str, Any]] = [
            line for line in map(json.loads, rest) if line["kind"] == kind and "is_private" not in line
        ][:most]
        for line in lines:
            if "id" in line:  # ids are unique in the database, which may already contain the seed from a demo
                line["id"] = f"{own['LEGACYMIND_NAMESPACE']}/{line['id']}"
        part = folder / f"{name}.jsonl"
        part.write_text("\n".join([header, *map(json.dumps, lines)]), encoding="utf-8")
        legacymind(own, "import", str(part))
    yield own
    legacymind(own, "calibrate", "--reset")


@pytest.mark.slow
def test_thresholds_are_shown_beside_the_proposed_ones(env: Env) -> None:
    shown = legacymind(env, "calibrate")
    assert all(character.isprintable() for line in shown.splitlines() for character in line)
    assert re.search(r"thoughts +120\nknowledge +60\n", shown)
    assert re.search(r"- s1\n.*present 0\.\d+, proposed 0\.\d+", shown)


@pytest.mark.slow
@pytest.mark.alone
def test_stored_thresholds_are_used_until_they_are_reset(env: Env) -> None:
    def thresholds(**more: str) -> tuple[float, float]:
        result = answer(
            env | more, "think", "Why did the tank fail?", "--verbose-analysis", "--injection-scale", "2"
        )
        return result["telemetry"]["threshold_knowledge"], result["telemetry"]["threshold_thoughts"]

    def opening(t1: float, floor: float) -> float:
        return round(floor + 0.9 * (t1 - floor), 4)  # scale 2: nine tenths of the way from the floor to t1

    own = opening(MINILM.knowledge[0], MINILM.floor)
    assert thresholds() == (own, own)
    before = answer(env, "calibrate")
    assert before["kept_at"] is None
    found = answer(env, "calibrate", "--store")
    proposed = {one["name"]: one["proposed"] for one in found["thresholds"]}
    stored = opening(proposed["t1"], proposed["floor"])
    assert abs(stored - own) > 0.001
    assert thresholds() == pytest.approx((stored, stored), abs=1e-4)
    by_cosine = thresholds(LEGACYMIND_INJECT_T2="0.31", LEGACYMIND_RECALL="thresholds")
    assert by_cosine == pytest.approx((0.31, proposed["s2"]), abs=1e-4)
    assert answer(env, "status")["embedding"]["calibrated_at"] == found["kept_at"].replace("Z", "+00:00")
    assert [one["present"] for one in answer(env, "calibrate")["thresholds"]] == [*proposed.values()]
    assert answer(env, "calibrate", "--reset") == {"dropped": True}
    assert "calibrated_at" not in answer(env, "status")["embedding"]
    assert thresholds() == (own, own)


def test_too_small_memories_and_contradictory_options_are_rejected(env: Env) -> None:
    empty = env | {"LEGACYMIND_NAMESPACE": f"empty-{uuid.uuid4()}"}
    error = answer(empty, "calibrate", "--store", code=2)["error"]
    assert error["code"] == "invalid_input"
    assert "0 different thoughts" in error["message"]
    assert "cannot be combined" in legacymind(env, "calibrate", "--reset", "--store", code=2)
    assert "either --namespace or --all" in legacymind(env, "calibrate", "--all", "--namespace", "x", code=2)
