"""The commands by job, with one line and the examples for each: what `legacymind --help` shows at once.

Nothing is imported for it, so that help and completion do not wait for the operations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Entry:
    """A command in the list: what it does, and examples of it without the program's name.

    ``of`` is the command whose line names this one, so that it has no line of its own.
    """

    summary: str
    examples: tuple[str, ...] = ()
    of: str | None = None


JOBS: Final[Mapping[str, Mapping[str, Entry]]] = {
    "Begin": {
        "demo": Entry("Take a one-minute tour with sample data", ("demo",)),
        "up": Entry("Start Neo4j, or download it; `down` stops it", ("up", "up --json")),
        "down": Entry("Stop Neo4j; stored data is kept", ("down",), of="up"),
        "status": Entry("Show addresses and problems; also `logs`", ("status", "status --json")),
        "doctor": Entry(
            "Find problems and mend them",
            ("doctor", "doctor --fix", "doctor --thorough --json"),
        ),
        "browser": Entry(
            "Open Neo4j Browser with a saved query",
            (
                "browser",
                "browser session_trail --set session_id=deploys",
                "browser why_recalled --set thought_id=THOUGHT_ID --print",
                "browser --clipboard",
                "browser --copy neo4j-browser",
            ),
        ),
        "logs": Entry("Print the end of Neo4j's log", ("logs --lines 20",), of="status"),
        "backup": Entry(
            "Back up the database to a file; also `restore`",
            ("backup legacymind.backup", "backup legacymind.backup --force --json"),
        ),
        "restore": Entry(
            "Restore a backup and verify every chain",
            ("restore legacymind.backup", "restore legacymind.backup --force"),
            of="backup",
        ),
    },
    "Think": {
        "think": Entry(
            "Store a thought and show what it recalls",
            (
                'think "Deploys fail whenever the cache is cold." --session deploys',
                "think @notes.md --session deploys --tags idea,cache",
                'think "Pods wait until warm." --hypothesis "Cold pods get traffic."',
            ),
        ),
        "think-technical": Entry(
            "Think about work; also `think-convo`",
            ('think-technical "TimeoutError: no answer in 30 s" --mode debug --session incident',),
        ),
        "think-convo": Entry(
            "Store a thought of a conversation",
            ('think-convo "What did we decide about the cache?" --session chat',),
            of="think-technical",
        ),
        "think-batch": Entry(
            "Store up to 100 thoughts at once",
            (
                'think-batch \'[{"content": "The pool was full."}]\' --session incident',
                "think-batch @thoughts.json --session incident",
            ),
        ),
        "outcome": Entry(
            "Record how a thought turned out", ("outcome THOUGHT_ID success --solves PROBLEM_ID",)
        ),
        "pin": Entry("Begin every context with a thought", ("pin THOUGHT_ID", "pin THOUGHT_ID --no-pinned")),
        "relate": Entry(
            "Relate a thought to a thought, entity or fact",
            ('relate THOUGHT_ID TARGET_ID --type CONTRADICTS --note "measured twice"',),
        ),
    },
    "Recall": {
        "search": Entry(
            "Find by meaning and words; also `search-thoughts`, `search-facets`",
            (
                'search "what did we decide about the health check?"',
                'search "cold cache" --kinds thought --thought-type decision --date-from 2026-11-01',
                "search --session deploys --limit 20",
            ),
        ),
        "search-thoughts": Entry(
            "Find thoughts only", ('search-thoughts "cold cache" --author ada',), of="search"
        ),
        "search-facets": Entry(
            "Count what the hits of a search have in common", ('search-facets "cold cache"',), of="search"
        ),
        "context": Entry(
            "Show what to begin a session with; also `recall`",
            ('context "the failed deploy" --session deploys',),
        ),
        "recall": Entry(
            "Show what a text brings to mind; nothing is stored",
            ('recall "Deploys fail whenever the cache is cold."', "recall @prompt.md --injection-scale 4"),
            of="context",
        ),
        "show": Entry("Show a thought, entity or fact in full", ("show ID",)),
        "thread": Entry("Read a session in order of time", ("thread deploys", "thread --chain-id release-8")),
        "trail": Entry(
            "Follow the links of a thought; also `links`",
            ("trail THOUGHT_ID --depth 3", "trail THOUGHT_ID --types REVISES --direction forward"),
        ),
        "links": Entry("Show the links of a thought, both ways", ("links THOUGHT_ID",), of="trail"),
        "explain": Entry(
            "Explain what a thought recalled and missed",
            ("explain THOUGHT_ID", "explain THOUGHT_ID --missed 10"),
        ),
    },
    "Know": {
        "remember": Entry(
            "Store entities, facts and relations",
            (
                'remember --entities \'[{"name": "Health check", "entity_type": "component"}]\'',
                "remember --observations @facts.json",
            ),
        ),
        "entity": Entry(
            "Show an entity, its facts and relations",
            ('entity "Health check"', 'entity "Health check" --as-of 2026-11-01T00:00:00Z'),
        ),
        "forget": Entry(
            "End or delete a fact, relation or entity", ("forget ID", "forget ID --delete --dry-run")
        ),
        "duplicates": Entry("List likely duplicates; also `merge`", ("duplicates --min-score 0.9",)),
        "merge": Entry(
            "Merge entities into one",
            ('merge "Ada Lovelace" ada "A. Lovelace" --dry-run',),
            of="duplicates",
        ),
        "import": Entry(
            "Import files, folders or other tools' graphs",
            ("import memory.jsonl --dry-run", "import notes/ --namespace notes", "import --format graphiti"),
        ),
        "analyze": Entry(
            "Compute communities, PageRank and duplicates",
            ("analyze", "analyze communities --namespace notes"),
        ),
        "communities": Entry(
            "List communities; also `map` (extra `map`)", ("communities", "communities 3 --limit 50")
        ),
        "map": Entry("Draw the communities", ("map communities.svg --nodes 80",), of="communities"),
        "maintain": Entry(
            "Prune; also `curate`, `calibrate`, `reembed`",
            (
                "maintain verify",
                "maintain ensure_continuity_fields --apply --yes",
                "maintain prune",
                "maintain prune --days 30 --min-weight 0.2",
                "maintain prune --apply --yes",
            ),
        ),
        "curate": Entry(
            "Take weak thoughts out of recall, after a plan",
            ("curate", "curate apply --min-age 60", "curate restore --thought-id ID"),
            of="maintain",
        ),
        "tool-help": Entry(
            "Explain an operation: parameters, filters, examples",
            ("tool-help", "tool-help search"),
            of="maintain",
        ),
        "calibrate": Entry(
            "Fit the thresholds of recall to your memory",
            ("calibrate", "calibrate --all --store"),
            of="maintain",
        ),
        "reembed": Entry(
            "Change the embedding model, step by step",
            (
                "reembed status",
                "reembed run",
                "reembed compare --questions questions.jsonl",
                "reembed switch",
                "reembed roll_back",
                "reembed drop --now",
            ),
            of="maintain",
        ),
    },
    "Decide": {
        "record-plan": Entry(
            "Record a plan; also `record`, `record-analysis`, `record-decision` and `record-reflection`",
            ('record-plan deploys "Warm the cache first." --action-id deploy-8',),
        ),
        "record-analysis": Entry(
            "Record an analysis", ('record-analysis deploys "The check passes too early."',), of="record-plan"
        ),
        "record-decision": Entry(
            "Record a decision",
            ('record-decision deploys "Roll out on Tuesday." --action-id deploy-8',),
            of="record-plan",
        ),
        "record-reflection": Entry(
            "Record a reflection", ('record-reflection deploys "A day was too short."',), of="record-plan"
        ),
        "record": Entry(
            "Record a thought of any type",
            ('record deploys risk "Traffic may double." --confidence 0.7',),
            of="record-plan",
        ),
        "tree": Entry(
            "Show a session's thoughts as trees",
            ("tree deploys", "tree deploys --include-content --no-pager"),
        ),
        "reasoning": Entry("Show the paths to an action; also `action`", ("reasoning deploy-8",)),
        "action": Entry("List the thoughts that led to an action", ("action deploy-8",), of="reasoning"),
    },
    "Prove": {
        "verify": Entry(
            "Verify that no thought was changed or removed",
            (
                "verify deploys",
                "verify --all --against heads.json",
                "verify --anchor anchors.txt --report verified.json",
            ),
        ),
        "anchor": Entry(
            "Make a line to verify by; also `anchor-proof`",
            ("anchor --out anchors.txt", "anchor deploys"),
        ),
        "anchor-proof": Entry(
            "Prove that an anchor includes a session",
            ("anchor-proof @anchors.txt deploys --json",),
            of="anchor",
        ),
        "heads": Entry("Export the last step of every session", ("heads", "heads --json")),
        "export": Entry(
            "Export a namespace, or a session's chain",
            ("export --out memory.jsonl --vectors", "export deploys"),
        ),
        "redact": Entry(
            "Remove a text; its chain still verifies",
            ('redact THOUGHT_ID "contains a phone number" --author ada',),
        ),
    },
    "Connect": {
        "install": Entry(
            "Add to Claude Code, Cursor, …; also `uninstall`",
            ("install claude-code", "install cursor --print"),
        ),
        "uninstall": Entry("Remove LegacyMind from a client", ("uninstall cursor",), of="install"),
        "mcp": Entry(
            "Serve MCP on standard input and output", ("mcp", "mcp --profile full --namespace work")
        ),
        "serve": Entry("Serve the explorer, GraphQL and MCP over HTTP", ("serve", "serve --workers 2")),
        "token": Entry(
            "Make, list and revoke tokens for `serve`",
            ("token create laptop --scope read", "token list", "token revoke ID"),
        ),
        "hook": Entry("Answer a hook of a coding agent", ("hook session-start",), of="install"),
    },
}
"""The commands in the order of the list. `link-action` is not listed, since it always fails."""

ENTRIES: Final = {name: entry for listed in JOBS.values() for name, entry in listed.items()}
