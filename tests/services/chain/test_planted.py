"""Values of any type that somebody plants in Cypher: every door has a verdict, and no session is hidden."""

from collections.abc import AsyncIterator
from typing import Any, Final, LiteralString

import pytest
from mcp import Client
from strawberry import Schema

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from legacymind.model.stored import VERIFIED
from legacymind.operations.results import jsonable
from legacymind.settings import Settings
from tests.agents import build_server
from tests.doors.cli.commands import environment, here
from tests.services.chain.chains import Chain, H, make
from tests.steps import own_namespace
from tests.wire import raw

pytestmark = pytest.mark.anyio

VALUES: Final[dict[str, LiteralString]] = {
    "null": "null",
    "text": "'x'",
    "long text": "reduce(s = 'x', _ IN range(1, 11) | s + s)",
    "integer": "9",
    "negative": "-1",
    "beyond 32 bits": "1099511627776",
    "beyond 53 bits": "9223372036854775807",
    "float": "9.0",
    "NaN": "0.0 / 0.0",
    "infinity": "1.0 / 0.0",
    "boolean": "true",
    "empty list": "[]",
    "list of texts": "['a']",
    "list of numbers": "[1]",
    "point": "point({x: 1, y: 2})",
    "date": "date('2026-11-21')",
    "time": "datetime('2026-11-21T00:00:00+05:45')",
    "duration": "duration('P1D')",
}

NAMES_OF_VALUES: Final = [
    name
    if name in ("null", "text", "beyond 53 bits", "NaN", "time")
    else pytest.param(name, marks=pytest.mark.slow)
    for name in VALUES
]
"""One value of each kind in every run, each value in a run of all tests."""

VERIFY: Final = """query V($id: ID!) {
  session(name: $id) { chain { verdict message brokenAt headHash faults { kind step thoughtId } } }
}"""


@pytest.fixture(scope="module")
async def shared(engine_settings: Settings) -> AsyncIterator[Chain]:
    """The session of a namespace that every test leaves as it was."""
    async with own_namespace(engine_settings, large=True) as mind:
        yield await make(mind, "session")


async def by_graphql(chain: Chain, schema: Schema | None = None) -> Any:
    """The report of the session as GraphQL has it, whose types are the strictest."""
    found = await (schema or build_schema(chain.mind)).execute(VERIFY, {"id": chain.session})
    assert found.errors is None, found.errors
    assert found.data is not None
    return found.data["session"]["chain"]


async def by_mcp(chain: Chain) -> Any:
    async with Client(build_server(chain.mind, "full")) as agent:
        answer = await agent.call_tool("thought_verify_chain", {"sessionId": chain.session})
    assert not answer.is_error, answer
    return answer.structured_content


@pytest.mark.parametrize("name", NAMES_OF_VALUES)
async def test_a_step_with_any_value_has_a_verdict_at_its_place(shared: Chain, name: str) -> None:
    chain, schema = shared, build_schema(shared.mind)
    (before,) = await raw(
        chain.mind,
        "MATCH (t:Thought {id: $id}) RETURN elementId(t) AS e, properties(t) AS p",
        id=chain.ids[2],
    )
    for member in (*sorted(VERIFIED), "chained"):
        statement: LiteralString = (
            "MATCH (t) WHERE elementId(t) = $e SET t[$member] = " + VALUES[name] + " RETURN t[$member] AS v"
        )
        (after,) = await raw(chain.mind, statement, e=before["e"], member=member)
        report = await by_graphql(chain, schema)
        if before["p"].get(member) != after["v"] and member != "key_id":  # which an unkeyed step has not
            assert report["verdict"] == "BROKEN", member
            assert 2 in {fault["step"] for fault in report["faults"]}, (member, report)
            assert len(report["message"]) < 1000
        restored = "MATCH (t) WHERE elementId(t) = $e SET t[$member] = $value"
        await raw(chain.mind, restored, e=before["e"], member=member, value=before["p"].get(member))
    assert (await chain.verify()).verdict == "intact"
    every: LiteralString = "MATCH (t) WHERE elementId(t) = $e UNWIND $members AS m SET t[m] = " + VALUES[name]
    members = sorted({*VERIFIED, "chained"} - {"namespace", "session_id"})
    await raw(chain.mind, every, e=before["e"], members=members)
    assert (await by_mcp(chain))["verdict"] == "broken"
    for more in ([], ["--json"]):
        done = here(environment(chain.mind.settings), "verify", "--all", *more)
        assert done.returncode == 1, done
    written = {member: before["p"].get(member) for member in members}
    await raw(
        chain.mind, "MATCH (t) WHERE elementId(t) = $e SET t += $written", e=before["e"], written=written
    )
    assert (await chain.verify()).verdict == "intact"


@pytest.mark.parametrize("name", NAMES_OF_VALUES)
async def test_a_head_of_any_value_hides_no_session(shared: Chain, name: str) -> None:
    mind, schema = shared.mind, build_schema(shared.mind)
    (before,) = await raw(
        mind, "MATCH (h:Session {namespace: $ns}) RETURN properties(h) AS p", ns=mind.settings.namespace
    )
    for member in ("head_hash", "head_step", "head_id", "head_key_id"):
        statement: LiteralString = "MATCH (h:Session {namespace: $ns}) SET h[$member] = " + VALUES[name]
        await raw(mind, statement, ns=mind.settings.namespace, member=member)
        report, audit = await by_graphql(shared, schema), await mind.verify_all()
        expected = "intact" if name == "null" and member == "head_key_id" else "truncated"
        assert (report["verdict"], audit.verdict) == (expected.upper(), expected), member
        heads = await mind.chain_heads()
        assert [head.session_id for head in heads.heads] + heads.headless == ["session"]
        if (
            member in ("head_hash", "head_step")
            and name not in ("integer", "long text", "text")[: member == "head_step"]
        ):
            assert heads.headless == ["session"], member
        await raw(
            mind, "MATCH (h:Session {namespace: $ns}) SET h = $p", ns=mind.settings.namespace, p=before["p"]
        )
    assert (await mind.verify_all()).verdict == "intact"


async def test_a_session_without_a_sound_head_is_named(mind: Mind) -> None:
    chains = [await make(mind, name) for name in ("one", "two", "three", "four")]
    await chains[0].raw(H + "REMOVE h.head_hash, h.head_step, h.head_id")
    await chains[1].raw(H + "SET h.head_step = '4'")
    await chains[2].raw(H + "DETACH DELETE h")
    await raw(mind, "CREATE (:Session {namespace: $ns, id: 'empty'})", ns=mind.settings.namespace)
    without = ["empty", "one", "three", "two"]
    heads = await mind.chain_heads()
    assert ([head.session_id for head in heads.heads], heads.headless) == (["four"], without)
    pages, after = list[str](), None
    while True:
        page = await mind.chain_heads(limit=1, after=after)
        pages += [*(head.session_id for head in page.heads), *page.headless]
        if (after := page.next) is None:
            break
    assert pages == sorted(["four", *without])
    audit = await mind.verify_all(exports={"heads.json": jsonable(heads)})
    assert {report.session_id: report.verdict for report in audit.reports} == {
        "empty": "truncated",
        "four": "intact",
        "one": "truncated",
        "three": "broken",
        "two": "truncated",
    }
    (fault,) = (await mind.verify("empty")).faults
    assert (fault.kind, fault.step) == ("head", None)
    assert [fault.kind for fault in (await mind.verify("one")).faults] == ["head"]
    done = here(environment(mind.settings), "heads")
    assert (done.returncode, "empty; one; three; two" in done.stdout) == (0, True)


# What is planted, and what verification says of it.
NAMES: Final[dict[str, tuple[LiteralString, str]]] = {
    "a session with a number": ("CREATE (:Session {namespace: $ns, id: 5, head_hash: 'x'})", "no text: 5"),
    "a session with a list": ("CREATE (:Session {namespace: $ns, id: ['a']})", "no text: ['a']"),
    "a session with a blank": ("CREATE (:Session {namespace: $ns, id: ' '})", "no call accepts: ' '"),
    "a session with nothing": ("CREATE (:Session {namespace: $ns, id: ''})", "no text: ''"),
    "a session with a line break": ("CREATE (:Session {namespace: $ns, id: 'a\\nb'})", r"'a\nb'"),
    "a long one": (
        "CREATE (:Session {namespace: $ns, id: reduce(s = 'x', _ IN range(1, 10) | s + s)})",
        "no call accepts: 'xxxx",
    ),
    "a step with a number": (
        "CREATE (:Thought {namespace: $ns, id: randomUUID(), session_id: 5, step_index: 0})",
        "1 Thought node",
    ),
    "steps with a list": (
        "UNWIND [1, 2] AS n CREATE (:Thought {namespace: $ns, id: randomUUID(), session_id: ['a']})",
        "2 Thought nodes of a session whose id is no text: ['a']",
    ),
    "a step without a session": (
        "CREATE (:Thought {namespace: $ns, id: randomUUID(), chained: true, recorded_at: datetime()})",
        "1 Thought node",
    ),
    "a step of a blank": (
        "CREATE (:Thought {namespace: $ns, id: randomUUID(), session_id: ' ', step_index: 0})",
        "no call accepts: ' '",
    ),
}


@pytest.mark.parametrize("name", NAMES)
async def test_what_has_no_usable_session_is_named(mind: Mind, name: str) -> None:
    await make(mind, "one")
    statement, said = NAMES[name]
    await raw(mind, statement, ns=mind.settings.namespace)
    audit = await mind.verify_all()
    assert ([report.verdict for report in audit.reports], audit.verdict) == (["intact"], "broken")
    (unnamed,) = audit.unnamed
    assert said in unnamed
    survey = await mind.services.audit.survey(namespace=mind.settings.namespace)
    assert (survey.intact, survey.broken) == (1, 1)
    assert (await mind.verify_all("one")).verdict == "intact"
    heads = await mind.chain_heads()
    assert [head.session_id for head in heads.heads] == ["one"]
    assert (await mind.verify_all(exports={"heads.json": jsonable(heads)})).verdict == "broken"
    done = here(environment(mind.settings), "verify", "--all")
    assert (done.returncode, "1 intact" in done.stdout, bool(done.stderr)) == (1, True, True)


async def test_a_step_without_a_usable_id_is_a_fault(shared: Chain) -> None:
    step: LiteralString = "MATCH (t:Thought {namespace: $ns, step_index: 2}) "
    (before,) = await raw(shared.mind, step + "RETURN properties(t) AS p", ns=shared.mind.settings.namespace)
    values: list[Any] = [None, 5, ["a"], "", " ", "a\nb"]
    for value in values:
        for removed in ([], ["content", "salt"]):
            changed = {"id": value, **dict.fromkeys(removed)}
            await shared.one(step + "SET t += $changed RETURN 1", changed=changed)
            try:
                report = await shared.verify()
                assert {"id", "record"} <= {fault.kind for fault in report.faults if fault.step == 2}
                assert {fault.thought_id for fault in report.faults} <= {
                    None,
                    *shared.ids,
                    *[value][: isinstance(value, str)],
                }
                assert (report.verdict, (await by_graphql(shared))["verdict"]) == ("broken", "BROKEN")
                assert (await by_mcp(shared))["verdict"] == "broken"
            finally:
                await shared.one(step + "SET t = $p RETURN 1", p=before["p"])


async def test_two_nodes_of_a_session_have_no_head(unconstrained: Mind) -> None:
    mind = unconstrained
    chains = [await make(mind, name) for name in ("one", "two", "zwei")]
    await chains[1].raw(H + "CREATE (x:Session) SET x = properties(h), x.head_step = 3")
    for limit in (1, 2, 3, 10):
        names, without, after = list[str](), list[str](), None
        while True:
            page = await mind.chain_heads(limit=limit, after=after)
            names += [head.session_id for head in page.heads]
            without += page.headless
            if (after := page.next) is None:
                break
        assert (names, without) == (["one", "zwei"], ["two"]), limit
    assert [session async for session in mind.sessions()] == ["one", "two", "zwei"]
