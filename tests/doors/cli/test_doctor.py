"""`legacymind doctor` as people and scripts read it: marks, mends and exit codes."""

import json

import pytest

from legacymind.db.options import Address
from legacymind.doors.cli.commands import doctor
from legacymind.doors.cli.exits import Exit
from legacymind.mind import Mind
from legacymind.model.health import CheckResult, Diagnosis, Problem, Severity
from legacymind.settings import Settings
from tests.doors.cli.commands import environment, here
from tests.fakes import FakeEmbedder
from tests.steps import store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio


def test_each_severity_has_the_exit_code_of_the_table_and_the_worst_one_counts() -> None:
    order: list[tuple[Severity, Exit]] = [
        ("broken", Exit.FAILED),
        ("truncated", Exit.TRUNCATED),
        ("unverifiable", Exit.UNVERIFIABLE),
        ("unusable", Exit.UNUSABLE),
        ("unavailable", Exit.UNAVAILABLE),
        ("warning", Exit.DONE),
    ]
    for place, (_, code) in enumerate(order):
        problems = [Problem(what="It is.", mend="Mend it.", severity=each) for each, _ in order[place:]]
        checks = [CheckResult(name="x", state="problem", message="", problems=problems)]
        assert doctor._exit(Diagnosis(healthy=False, checks=checks)) == code  # pyright: ignore[reportPrivateUsage]


async def test_a_forged_thought_is_reported_with_what_to_run(settings: Settings, address: Address) -> None:
    elsewhere = settings.changed(neo4j_uri=address.uri, neo4j_password=address.password)
    async with Mind(elsewhere, session_id="kiln", embedder=FakeEmbedder()) as mind:
        thought = await store_thought(mind, "It is hot.")
        await raw(mind, "MATCH (t:Thought {id: $id}) SET t.content = 'cold'", id=thought)
    env = environment(settings) | {"NEO4J_URI": address.uri, "NEO4J_PASSWORD": address.password}
    done = here(env, "doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ chains" in done.stdout
    assert f"Run `legacymind verify kiln --namespace {settings.namespace}`" in done.stdout
    assert "- home          Not checked. NEO4J_URI names another server" in done.stdout
    as_json = here(env, "doctor", "--json")
    report = json.loads(as_json.stdout)
    assert (as_json.returncode, report["healthy"]) == (1, False)
    (chains,) = [check for check in report["checks"] if check["name"] == "chains"]
    assert (chains["state"], chains["problems"][0]["severity"]) == ("problem", "broken")
    started = json.loads(here(env, "up", "--json").stdout)
    assert (started["uri"], started["edition"]) == (address.uri, "community")
    refused = here(env | {"LEGACYMIND_EMBEDDING_PROVIDER": "e5"}, "up", "--json")
    assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (7, "embedding_mismatch")
