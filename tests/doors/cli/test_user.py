"""Who runs a command: the user, by a terminal or ``LEGACYMIND_USER``, or else an agent."""

import json

import pytest

from legacymind.mind import Mind
from tests.doors.cli.commands import Env, environment, here
from tests.steps import store_thought
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

OUTDATED = "The kettle whistles."


@pytest.fixture
def user(mind: Mind) -> Env:
    return environment(mind.settings)


@pytest.fixture
def agent(user: Env) -> Env:
    return {name: text for name, text in user.items() if name != "LEGACYMIND_USER"}


async def test_what_a_command_stores_is_said_by_who_runs_it(user: Env, agent: Env, mind: Mind) -> None:
    said = {
        name: json.loads(here(env, "think", f"The {name} speaks.", "--json").stdout)["delegated_result"]
        for name, env in (("user", user), ("agent", agent))
    }
    for name, stored in said.items():
        node = await mind.get(stored["thought_id"])
        assert node.said_by == name


async def test_without_the_user_forgetting_and_merging_are_only_planned(
    user: Env, agent: Env, mind: Mind
) -> None:
    thought = await store_thought(mind, OUTDATED)
    await mind.remember(entities=[{"name": "Kettle"}, {"name": "Pot"}])  # pyright: ignore[reportArgumentType]
    for words in (("forget", thought, "--confirm"), ("merge", "Kettle", "Pot")):
        planned = here(agent, *words, "--json")
        assert planned.returncode == 0, planned.stderr
        answer = json.loads(planned.stdout)
        shown = here(agent, *words)
        assert answer["ask"] in " ".join((shown.stdout + shown.stderr).split())
        done = json.loads(here(user, *words, "--json").stdout)
        assert not done.get("ask")
    assert (await mind.search(OUTDATED, method="text", kinds=["thought"])).hits == []
    assert (await mind.entity("Pot")).entity.name == "Kettle"


async def test_without_the_user_redaction_confirmation_and_release_are_refused(
    user: Env, agent: Env, mind: Mind
) -> None:
    thought = await store_thought(mind, OUTDATED)
    other = await store_thought(mind, "The pot boils.")
    step = (await mind.quarantine([other])).step or ""
    for words in (("redact", thought, "secret"), ("confirm", thought), ("release", step)):
        refused = here(agent, *words)
        assert (refused.returncode, "Only the user does this." in refused.stderr) == (2, True), refused.stderr
    await text_indexed(mind)
    assert (await mind.search(OUTDATED, method="text", kinds=["thought"])).hits != []
    for words in (("confirm", thought), ("redact", thought, "secret"), ("release", step)):
        done = here(user, *words)
        assert done.returncode == 0, done.stderr
