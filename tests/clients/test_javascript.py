"""GraphQL clients in JavaScript: caches of two namespaces, the compiler of Relay, rules of graphql-eslint."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from legacymind import files
from legacymind.doors.graphql.schema import build_schema
from legacymind.settings import Settings
from tests.clients.npm import installed, run
from tests.steps import own_namespace, store_thought

pytestmark = [pytest.mark.node, pytest.mark.limit(600)]

_HERE: Final = Path(__file__).parent

_CACHES: Final = "graphql@16", "@apollo/client@4", "rxjs@7", "@urql/core@6", "@urql/exchange-graphcache@9"

_RELAY: Final = "relay-compiler@21", "relay-runtime@21"

_LINT: Final = "graphql@16", "eslint@9", "@graphql-eslint/eslint-plugin@4"

EXCEPTIONS: Final = {
    # Results are no objects to cache.
    ("schema.graphql", "strict-id-in-types"): "must have exactly one non-nullable unique identifier",
    # The names of stored properties, which all doors show.
    ("schema.graphql", "no-typename-prefix"): "Type",
    # A tree is deep.
    ("thought_tree.graphql", "selection-set-depth"): "'ThoughtTree' exceeds maximum operation depth",
}
"""By file and rule of graphql-eslint: a part of each message, and why it may stay."""

DOCUMENT: Final = """query Cached($ns: String) {
  sessions(namespace: $ns) { __typename edges { __typename node { __typename id namespace steps
    thoughts(first: 5) { __typename edges { __typename node { __typename id content
      session { __typename id namespace } action { __typename id namespace } } } } } } }
  chains(namespace: $ns) { __typename edges { __typename node { __typename id namespace } } }
}"""


@pytest.mark.anyio
async def test_the_caches_of_apollo_and_urql_keep_namespaces_apart(
    engine_settings: Settings, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    packages = installed(pytestconfig, "caches", *_CACHES)
    (tmp_path / "node_modules").symlink_to(packages)
    shutil.copy(_HERE / "caches.mjs", tmp_path)
    async with own_namespace(engine_settings) as one, own_namespace(engine_settings) as other:
        answers = dict[str, Any]()
        for mind in (one, other):
            for number in range(2):
                await store_thought(
                    mind, f"step {number}", session_id="deploys", action_id="act", chain_id="label"
                )
            namespace = mind.settings.namespace
            result = await build_schema(one).execute(DOCUMENT, {"ns": namespace})
            assert result.errors is None, result.errors
            answers[namespace] = result.data
    given = json.dumps({"document": DOCUMENT, "answers": answers})
    kept = json.loads(run(tmp_path, "node", "caches.mjs", given=given))
    assert len(kept) == 2 * (1 + 2 + 1 + 1)  # of each: the session, its thoughts, the action and the label


def test_relay_compiles_nested_pages(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    packages = installed(pytestconfig, "relay", *_RELAY)
    (tmp_path / "node_modules").symlink_to(packages)
    shutil.copytree(_HERE / "relay", tmp_path / "src")
    shutil.copy(files.path("graphql", "schema.graphql"), tmp_path)
    config = {"src": "./src", "schema": "./schema.graphql", "language": "javascript"}
    (tmp_path / "relay.config.json").write_text(json.dumps(config), encoding="utf-8")
    run(tmp_path, packages / ".bin/relay-compiler", "relay.config.json")
    made = {path.name.partition(".")[0] for path in (tmp_path / "src" / "__generated__").iterdir()}
    assert made >= {"viewsHitsQuery", "viewsSessionQuery"}


def test_the_recommended_rules_of_graphql_eslint_pass_but_for_the_exceptions(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    packages = installed(pytestconfig, "lint", *_LINT)
    (tmp_path / "node_modules").symlink_to(packages)
    shutil.copy(_HERE / "eslint.config.mjs", tmp_path)
    shutil.copy(files.path("graphql", "schema.graphql"), tmp_path)
    shutil.copytree(files.path("graphql", "operations"), tmp_path / "operations")
    said = run(tmp_path, "sh", "-c", "node_modules/.bin/eslint schema.graphql operations -f json || true")
    found = [
        (Path(file["filePath"]).name, str(message["ruleId"]).rpartition("/")[2], message["message"])
        for file in json.loads(said)
        for message in file["messages"]
    ]
    assert {(file, rule) for file, rule, _ in found} == set(EXCEPTIONS), found
    assert [one for one in found if EXCEPTIONS[one[0], one[1]] not in one[2]] == []
