"""The Python API: a mind's methods validate as the doors do, and type checkers see their signatures."""

import inspect
import math
from datetime import UTC, datetime
from typing import Any, assert_type, cast

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, RememberResult, SearchResult
from legacymind.model.chain import ChainReport
from legacymind.model.nodes import EntityList, ListedEntity
from legacymind.model.think import OutcomeResult, ThinkBatchResult, ThinkResult
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import one

pytestmark = pytest.mark.anyio


@pytest.fixture
def unconnected() -> Mind:
    """A mind whose calls fail once they need the database."""
    return Mind(Settings(neo4j_uri="bolt://127.0.0.1:1", neo4j_password="x"), embedder=FakeEmbedder())


async def stored(mind: Mind, result: ThinkResult) -> dict[str, Any]:
    return await one(
        mind,
        "MATCH (t:Thought {id: $id}) "
        "RETURN t {.injection_scale, .significance, .confidence, .tags, .submode}",
        id=result.delegated_result.thought_id.removeprefix("thoughts:"),
    )


def test_every_operation_is_a_method_of_the_mind_under_its_own_name(unconnected: Mind) -> None:
    for name, operation in unconnected.operations.items():
        assert getattr(unconnected, name) == operation.method
    assert unconnected.verify == unconnected.verify_chain


def test_a_method_shows_its_own_signature_and_documentation(unconnected: Mind) -> None:
    signature = inspect.signature(unconnected.think)
    assert list(signature.parameters) == ["content", "hint", "verbose_analysis", "max_tokens", "options"]
    assert signature.return_annotation is ThinkResult
    assert unconnected.think.__name__ == "think"
    assert (inspect.getdoc(unconnected.think) or "").startswith("Store a thought")
    assert inspect.iscoroutinefunction(unconnected.think)


async def test_numbers_lists_and_names_are_coerced_as_at_the_doors(mind: Mind) -> None:
    # Type checkers reject these values, but notebooks send them.
    loose: dict[str, Any] = {
        "significance": 7,
        "confidence": "-3",
        "injection_scale": 9,
        "tags": "plan,debug",
        "submode": " Sarcastic ",
    }
    result = await mind.think("A loose call", **loose)
    assert await stored(mind, result) == {
        "significance": 1.0,
        "confidence": 0.0,
        "injection_scale": 5,
        "tags": ["plan", "debug"],
        "submode": "sarcastic",
    }


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"signifcance": 1}, "signifcance is unknown"),
        ({"self": 1}, "self is unknown"),
        ({"confidence": math.nan}, "confidence must be"),
        ({"significance": "much"}, "significance must be"),
        ({"content": "again"}, "'content' by position and by name"),
        ({"session_id": "a", "sessionId": "b"}, "session_id is given twice, also as 'sessionId'"),
    ],
)
async def test_an_invalid_argument_is_named(
    unconnected: Mind, keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        await unconnected.think("x", **keywords)
    assert message in str(raised.value)
    if "unknown" in message:
        assert "Known parameters: content, hint, verbose_analysis, max_tokens" in raised.value.hint


async def test_too_many_positional_arguments_are_rejected(unconnected: Mind) -> None:
    with pytest.raises(InvalidInput, match="5 positional arguments; it takes at most 4"):
        await cast("Any", unconnected.think)("x", "plan", True, 500, 2)


async def test_a_misspelt_filter_is_rejected_and_not_ignored(unconnected: Mind) -> None:
    with pytest.raises(InvalidInput, match="sesion_id is unknown"):
        await unconnected.search("x", **cast("Any", {"sesion_id": "s"}))


async def test_the_members_of_an_input_object_are_validated(unconnected: Mind) -> None:
    with pytest.raises(InvalidInput, match="entities, item 1, name must be"):
        await unconnected.remember(entities=[EntityInput(name=cast("Any", 5))])


async def test_a_tag_with_a_comma_survives_an_operation_that_calls_another(mind: Mind) -> None:
    thought = await mind.think("x", tags=cast("Any", '["plan"]'))
    assert (await stored(mind, thought))["tags"] == ["plan"]
    found = await mind.search_thoughts(tags=cast("Any", '["plan, debug"]'))  # one tag, which no thought has
    assert found.hits == []


async def test_calls_in_python_are_typed(mind: Mind) -> None:
    """``assert_type`` is checked by basedpyright: the methods keep their true types."""
    thought = await mind.think("The pool was full.", session_id="work", tags=["debug"])
    assert_type(thought, ThinkResult)
    batch = await mind.think_batch([{"content": "Doubling it helped."}], session_id="work")
    assert_type(batch, ThinkBatchResult)
    outcome = await mind.record_outcome(batch.thoughts[0].thought_id, "success")
    assert_type(outcome, OutcomeResult)
    known = await mind.remember(entities=[EntityInput(name="Pool")])
    assert_type(known, RememberResult)
    assert known.created == 1
    found = await mind.search("pool", session_id="work")
    assert_type(found, SearchResult)
    assert len(found.hits) == 2
    report = await mind.verify("work")
    assert_type(report, ChainReport)
    assert (report.valid, report.thought_count) == (True, 2)


def typing_only(mind: Mind) -> None:
    """Not run: basedpyright fails when one of these stops being an error."""
    mind.think("x", signifcance=1)  # pyright: ignore[reportCallIssue, reportUnusedCoroutine]
    mind.think(5)  # pyright: ignore[reportArgumentType, reportUnusedCoroutine]
    mind.search("x", kinds=["person"])  # pyright: ignore[reportArgumentType, reportUnusedCoroutine]


def test_a_namespace_replaces_that_of_the_settings() -> None:
    mind = Mind(Settings(namespace="one"), namespace="two", embedder=FakeEmbedder())
    assert mind.settings.namespace == "two"


def test_without_settings_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGACYMIND_NAMESPACE", "from-the-environment")
    assert Mind(embedder=FakeEmbedder()).settings.namespace == "from-the-environment"


def test_a_result_with_a_list_is_a_table_in_notebooks_and_a_data_frame() -> None:
    now = datetime.now(UTC)
    kettle = ListedEntity(id="k", name="<Kettle>", entity_type="", description="x" * 500, observations=2)
    listed = EntityList(entities=[kettle], as_of=now)
    assert listed.to_df()[["id", "observations"]].to_dict("records") == [{"id": "k", "observations": 2}]
    head = "<tr><td>id</td><td>name</td><td>description</td><td>observations</td></tr>"
    row = f"<tr><td>k</td><td>&lt;Kettle&gt;</td><td>{'x' * 120}</td><td>2</td></tr>"
    assert listed._repr_html_() == f"<table>{head}{row}</table>"  # pyright: ignore[reportPrivateUsage]
    empty = EntityList(entities=[], as_of=now)
    assert (len(empty.to_df()), empty._repr_html_()[:16]) == (0, "<pre>EntityList(")  # pyright: ignore[reportPrivateUsage]
