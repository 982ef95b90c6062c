"""The commands by job, in the order of `legacymind --help`.

Nothing is imported for it, so that help and completion do not wait for the operations.
"""

from typing import Final

JOBS: Final = {
    "Begin": (
        "demo: Take a one-minute tour with sample data",
        "up, down: Start Neo4j, or download it; `down` stops it",
        "status, logs: Show addresses and problems; also `logs`",
        "doctor: Find problems and fix them",
        "browser: Open Neo4j Browser with a saved query",
        "backup, restore, sync: Back up the database; `sync` shares it",
    ),
    "Think": (
        "think: Store a thought and show what it recalls",
        "think-technical, think-convo: Think about work; also `think-convo`",
        "think-batch: Store up to 100 thoughts at once",
        "outcome: Record how a thought turned out",
        "pin, confirm: Begin contexts with a thought; also `confirm`",
        "relate: Relate a thought to a thought, entity or fact",
    ),
    "Recall": (
        "search, search-thoughts, search-facets: Find by meaning and words; also `search-thoughts`, "
        "`search-facets`",
        "context, recall: Show what to begin a session with; also `recall`",
        "show: Show a thought, entity or fact in full",
        "thread: Read a session in order of time",
        "trail, links: Follow the links of a thought; also `links`",
        "explain: Explain what a thought recalled and missed",
    ),
    "Know": (
        "remember: Store entities, facts and relations",
        "entity, entities: Show an entity and its facts; also `entities`",
        "forget: Forget a thought, fact, person or session",
        "duplicates, merge: List likely duplicates; also `merge`",
        "import: Import files, folders or other tools' graphs",
        "analyze, communities: Compute `communities`, PageRank, neighbours",
        "maintain, curate, calibrate, reembed, tool-help: Prune; also `curate`, `calibrate`, `reembed`",
    ),
    "Decide": (
        "record-plan, record, record-analysis, record-decision, record-reflection: Record a plan; also "
        "`record`, `record-analysis`, `record-decision` and `record-reflection`",
        "tree: Show a session's thoughts as trees",
        "reasoning, action: Show the paths to an action; also `action`",
    ),
    "Prove": (
        "verify: Verify that no thought was changed or removed",
        "heads, key: Export all last steps; `key create` to sign",
        "export: Export a namespace, or a session's chain",
        "touched, quarantine, release: What one touched; `quarantine`, `release`",
        "redact: Remove a text; its chain still verifies",
    ),
    "Connect": (
        "install, uninstall, hook: Add to Claude Code, Cursor, …; also `uninstall`",
        "trust: Let a folder's files set servers, keys and paths",
        "mcp: Serve MCP on standard input and output",
        "serve: Serve the explorer, GraphQL and MCP over HTTP",
        "token, namespace: Make tokens for `serve`; also `namespace`",
    ),
}
"""Names and a summary; the first name has a line, which names the others."""

NAMES: Final = tuple(
    name for lines in JOBS.values() for line in lines for name in line.partition(": ")[0].split(", ")
)


def examples(*lines: str) -> str:
    """The end of a command's help: examples, without the program's name."""
    return "\n".join(("\b\nExamples:", *(f"  legacymind {line}" for line in lines)))
