"""Example calls of every operation, for the help. A test checks that each is accepted."""

from collections.abc import Mapping
from typing import Any, Final

from legacymind.model.about import members
from legacymind.model.filters import Filters

_ID: Final = "1b4e28ba-2fa1-41d2-883f-0016d3cca427"
_OTHER: Final = "6fa459ea-ee8a-4ca4-894e-db77e160355e"

_FILTERED: Final[Mapping[str, Any]] = {
    "session_id": "deploys",
    "chain_id": "release-8",
    "previous_thought_id": _ID,
    "revises_thought": _ID,
    "branch_from": _ID,
    "parent_id": _ID,
    "action_id": "deploy-8",
    "origin": "user",
    "author": "ada",
    "mode": "stuck",
    "thought_type": "decision",
    "tags": ["cache", "deploy"],
    "confidence_gte": 0.7,
    "confidence_lte": 0.3,
    "date_from": "2026-11-01",
    "date_to": "2026-11-30",
    "as_of": "2026-11-01T00:00:00Z",
    "about": ["Ada"],
}
"""A value for each filter; one without a value here has no example."""

Example = tuple[str, Mapping[str, Any]]
"""What a call is for, and its arguments."""

_EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "think": (
        (
            "Store a thought of a session",
            {"content": "Deploys fail when the cache is cold.", "session_id": "deploys"},
        ),
        ("Test a hypothesis", {"content": "Pods wait until warm.", "hypothesis": "Cold pods get traffic."}),
        ("Revise an earlier thought", {"content": "Only the first deploy fails.", "revises_thought": _ID}),
    ),
    "think_convo": (
        ("Store a thought of a conversation", {"content": "What did we decide?", "session_id": "chat"}),
    ),
    "think_technical": (
        (
            "Recall what solved the same error",
            {"content": "TimeoutError: no answer in 30 s", "mode": "debug"},
        ),
    ),
    "think_batch": (
        (
            "Store several thoughts at once",
            {"thoughts": [{"content": "The pool was full."}], "session_id": "incident"},
        ),
    ),
    "reembed": (
        ("Embed everything with the configured model", {"action": "run"}),
        ("Compare the new vectors with the old ones", {"action": "compare", "sample": 200}),
        ("Use the new vectors", {"action": "switch"}),
    ),
    "record_outcome": (("Record a solution", {"thought_id": _ID, "outcome": "success", "solves": _OTHER}),),
    "search": (
        ("Find by meaning and words", {"query": "what did we decide about the health check?"}),
        ("A session in order of time", {"session_id": "deploys", "order": "created_at_asc"}),
        (
            "A chain between two days",
            {"chain_id": "release-8", "date_from": "2026-11-01", "date_to": "2026-11-30"},
        ),
        ("What revises a thought", {"revises_thought": _ID}),
        (
            "Facts as of a day",
            {"query": "the office", "kinds": ["observation"], "as_of": "2026-11-01T00:00:00Z"},
        ),
    ),
    "search_thoughts": (
        ("Thoughts of one author", {"query": "cold cache", "author": "ada"}),
        ("What follows a thought", {"previous_thought_id": _ID}),
    ),
    "search_facets": (
        ("What a search would be narrowed by", {"query": "cold cache"}),
        ("Who wrote the latest decisions", {"thought_type": "decision"}),
    ),
    "context": (("Begin a task", {"query": "the failed deploy", "session_id": "deploys"}),),
    "walk_trail": (
        ("What a thought rests on", {"thought_id": _ID, "depth": 3}),
        ("What became of it", {"thought_id": _ID, "types": ["REVISES"], "direction": "forward"}),
    ),
    "thoughts_thread": (
        ("A session in order of time", {"session_id": "deploys"}),
        ("A chain, page by page", {"chain_id": "release-8", "limit": 20}),
    ),
    "thoughts_links": (("The links of a thought", {"thought_id": _ID}),),
    "get": (("One node in full", {"id": _ID}),),
    "explain_recall": (("Why memories were recalled or missed", {"thought_id": _ID, "missed": 10}),),
    "recall": (
        ("What a text brings to mind, not stored", {"content": "Deploys fail when the cache is cold."}),
        ("As of a day", {"content": "the health check", "created_at": "2026-11-01T00:00:00Z"}),
    ),
    "remember": (
        (
            "A person and a fact",
            {
                "entities": [{"name": "Ada", "entity_type": "person"}],
                "observations": [{"entity": "Ada", "content": "Ada lives in Lyon.", "source": "letter"}],
            },
        ),
    ),
    "entity": (("What is known of an entity", {"name": "Ada"}),),
    "list_entities": (("The people that are known", {"entity_type": "person"}),),
    "forget": (
        ("Plan to forget a person", {"subject": "Ada"}),
        ("Forget her", {"subject": "Ada", "confirm": True}),
    ),
    "merge": (("See what a merge would do", {"keep": "Ada Lovelace", "others": ["ada"], "dry_run": True}),),
    "duplicates": (("Likely duplicates", {"min_score": 0.9}),),
    "verify_chain": (("Prove that a session was not changed", {"session_id": "deploys"}),),
    "thought_record": (
        (
            "Record a risk",
            {"session_id": "deploys", "thought_type": "risk", "content": "Traffic may double."},
        ),
    ),
    "thought_plan": (
        (
            "Record a plan for an action",
            {"session_id": "deploys", "plan_description": "Warm it.", "action_id": "deploy-8"},
        ),
    ),
    "thought_analysis": (
        ("Record an analysis", {"session_id": "deploys", "analysis": "The check passes too early."}),
    ),
    "thought_decision": (
        ("Record a decision", {"session_id": "deploys", "decision": "Roll out on Tuesday."}),
    ),
    "thought_reflection": (
        ("Record a reflection", {"session_id": "deploys", "reflection": "A day was too short."}),
    ),
    "redact_thought": (("Remove a text", {"thought_id": _ID, "reason": "contains a phone number"}),),
    "relate_thought": (
        ("Relate two thoughts", {"thought_id": _ID, "target_id": _OTHER, "type": "DEPENDS_ON"}),
    ),
    "confirm": (
        ("Confirm what an agent noted", {"id": _ID}),
        ("Make it a lasting rule", {"id": _ID, "standing": True}),
    ),
    "touched": (("What a bad memory touched", {"id": _ID}),),
    "quarantine": (
        ("Take a memory out of every read", {"ids": [_ID]}),
        ("And all that it touched", {"ids": [_ID], "touched": True, "reason": "a poisoned page"}),
    ),
    "release": (("Undo a quarantine", {"step": _ID}),),
    "pin_thought": (("Begin every context with a thought", {"thought_id": _ID}),),
    "thought_tree": (("A session as a tree", {"session_id": "deploys", "include_children": True}),),
    "thought_for_action": (("The thoughts that led to an action", {"action_id": "deploy-8"}),),
    "thought_reasoning_trail": (("The paths to an action", {"action_id": "deploy-8"}),),
    "chain_heads": (("Heads to keep elsewhere", {}),),
    "analyze": (("Link similar thoughts", {"what": "neighbours"}),),
    "communities": (("The largest groups", {"limit": 10}),),
    "curate": (
        ("Plan what leaves recall", {}),
        ("Do it", {"action": "apply"}),
        ("Undo it for the sources of a summary", {"action": "restore", "thought_id": _ID}),
    ),
    "maintenance_ops": (
        ("Plan the removal of weak recalls", {"subcommand": "prune"}),
        ("Repair links and fields", {"subcommand": "ensure_continuity_fields", "apply": True}),
    ),
    "detailed_help": (("A tool in full", {"tool": "legacymind_search"}),),
}
"""At least one example for each operation, by its Python name."""


def examples(name: str, parameters: set[str]) -> list[Example]:
    """The examples of an operation, then one for each of its filters that none of these has."""
    found: list[Example] = [*_EXAMPLES.get(name, ())]
    filters = [one for one, _, _ in members(Filters) if one in parameters and one in _FILTERED]
    if (
        not {"query", "origin"} <= parameters
    ):  # a parameter of another kind of operation may have the same name
        return found
    shown = {one for _, arguments in found for one in arguments}
    for one in filters:
        if one not in shown:
            found.append((f"Filter by {one}", {"query": "cold cache", one: _FILTERED[one]}))
    return found


def filters_of(parameters: set[str]) -> set[str]:
    """The names of the filters among the parameters of an operation that searches; none for any other."""
    names = {one for one, _, _ in members(Filters)}
    return names & parameters if {"query", "origin"} <= parameters else set()
