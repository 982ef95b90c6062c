"""Input of a thought: the parameters of every operation that thinks, declared once."""

from typing import Annotated, Required, get_args

from pydantic import ConfigDict, ValidatorFunctionWrapHandler, WrapValidator
from typing_extensions import TypedDict  # pydantic reads typing's from Python 3.12 on only

from legacymind.model.about import about
from legacymind.model.base import AsStanding, Mode, Submode
from legacymind.model.members import Id
from legacymind.model.values import Expiry, Moment, Unit, Words, clamped, whole
from legacymind.operations.coercion import known_name
from legacymind.services.shared.parameters import DeclaredOrigin, Namespace, SearchTags, UnlistedAlsoRead
from legacymind.text.modes import MODES, mode_of

Content = Annotated[
    str,
    about(
        "Up to 100 KB",
        "Text of the thought, at most 100 KB of UTF-8. From 4,000 characters on, its sections are stored as "
        "thoughts too, which searches find, unless it is private",
    ),
]
Hint = Annotated[
    str | None,
    about(
        "Default: by the text",
        "Mode of the thought: debug, build, plan, stuck, question or conclude. Default: by the text",
        names=MODES,
    ),
]


def _any_spelling(value: object, validate: ValidatorFunctionWrapHandler) -> object:
    """Accept other spellings of submodes, and names of modes, which ``modes.select`` separates."""
    if not isinstance(value, str):
        return validate(value)
    return value if mode_of(value) else validate(known_name(value, get_args(Submode)))


SubmodeInput = Annotated[Submode | None, WrapValidator(_any_spelling)]


class RecallOptions(TypedDict, total=False):
    """Parameters that shape what a text recalls. All are optional."""

    __pydantic_config__ = ConfigDict(extra="forbid", hide_input_in_errors=True)  # pyright: ignore[reportGeneralTypeIssues]

    injection_scale: Annotated[
        int | None,
        whole(0, 5),
        about(
            "0 none to 5 all",
            "How much to recall: 0 nothing, 1 the last day, 2 the last week, 3 the last month, 4 and 5 any "
            "time, with more relationships. Default: by mode, 2 or 3",
        ),
    ]
    submode: Annotated[
        SubmodeInput,
        about(
            "Style of recall",
            "Style of recall: adjusts the thresholds and breaks ties (docs/memory/thinking.md)",
            tuning=True,
        ),
    ]
    include_contradictions: Annotated[
        bool | None,
        about(
            "Recall contradictions",
            "Also recall contradictions of recalled memories, and lower no score for them. Default: false",
            tuning=True,
        ),
    ]
    author: Annotated[str | None, about("Who thinks it", "Name of the author, a person or an agent")]
    namespace: Namespace
    also_read: UnlistedAlsoRead


class ThinkOptions(RecallOptions, total=False):
    """Parameters of a thought apart from its content. All are optional."""

    tags: SearchTags
    significance: Annotated[
        Unit | None,
        about(
            "0 to 1, raises recall",
            "Initial importance, which raises recall. Default: by mode, 0.5 to 0.9",
        ),
    ]
    session_id: Annotated[
        Id | None,
        about(
            "Conversation to join",
            "Session whose hash chain it joins. Default: that of the process",
        ),
    ]
    chain_id: Annotated[
        Id | None, about("Topic across sessions", "Label that groups thoughts of any sessions", tuning=True)
    ]
    previous_thought_id: Annotated[
        Id | None,
        about(
            "Default: latest",
            "Id of the thought that this one follows. Default: the latest of the session",
            tuning=True,
        ),
    ]
    revises_thought: Annotated[
        Id | None, about("Replaces this thought", "Id of the thought that this one revises")
    ]
    branch_from: Annotated[
        Id | None,
        about("Alternative to this", "Id of the thought that this one branches from", tuning=True),
    ]
    parent_id: Annotated[
        Id | None, about("Parent thought", "Id of the parent in the tree of thoughts", tuning=True)
    ]
    confidence: Annotated[Unit | None, about("0 to 1, how sure", "The author's confidence in the thought")]
    hypothesis: Annotated[
        str | None,
        about("Claim to test", "Claim to test against stored entities and observations"),
    ]
    needs_verification: Annotated[
        bool | None,
        about(
            "Test it or content",
            "Test the hypothesis, or without one the thought itself. Default: true with a hypothesis",
            tuning=True,
        ),
    ]
    verify_top_k: Annotated[
        int | None,
        whole(1, 500),
        about(
            "Facts to compare",
            "Number of nearest entities and observations to test with. Default: the setting `verify_topk`",
            tuning=True,
        ),
    ]
    min_similarity: Annotated[
        float | None,
        clamped(-1, 1),
        about(
            "Least cosine",
            "Least raw cosine of evidence. Default: the setting `verify_min_sim`, else the threshold t2",
            tuning=True,
        ),
    ]
    evidence_limit: Annotated[
        int | None,
        whole(0, 100),
        about(
            "Evidence per side",
            "Items of evidence to show for each side. Default: the setting `verify_evidence_limit`",
            tuning=True,
        ),
    ]
    contradiction_patterns: Annotated[
        Words | None,
        about(
            "Words of disproof",
            "Words that make an item count against the hypothesis. Default: not, never, fails and the like",
            tuning=True,
        ),
    ]
    thought_type: Annotated[
        str | None,
        about(
            "E.g. todo",
            "Type, as any word; a `todo` or `question` is open until something solves it. Default: the mode",
        ),
    ]
    action_id: Annotated[
        Id | None,
        about(
            "Action it leads to",
            "Id of the action that the thought leads to; cannot be added later",
            tuning=True,
        ),
    ]
    context_id: Annotated[
        Id | None,
        about("Ticket or task id", "Id of the context, for example a ticket", tuning=True),
    ]
    is_private: Annotated[
        bool | None,
        about("Own session only", "Recall and show the thought in its own session only. Default: false"),
    ]
    standing: AsStanding
    created_at: Annotated[
        Moment | None,
        about(
            "Time of the thought",
            "ISO 8601 time of the thought, UTC without a zone; for imports. It recalls only earlier "
            "memories. Default: now",
            tuning=True,
        ),
    ]
    origin: DeclaredOrigin
    expires_at: Annotated[
        Expiry | None,
        about(
            "Time or 7d",
            "When it expires, as an ISO 8601 time or a span from now (`90m`, `12h`, `7d`, `4w`): nobody "
            "reads it from then on, and the job `expire` redacts it. Default: never",
        ),
    ]
    idempotency_key: Annotated[
        str | None,
        about(
            "Same key: stored once",
            "Retry key: a repeated call stores nothing; it returns the stored thought and its memories",
        ),
    ]


class ThoughtInput(ThinkOptions, total=False):
    """One thought of a batch."""

    content: Required[Content]
    hint: Hint


class ThoughtDraft(ThoughtInput, total=False):
    """Parameters for internal callers.

    ``among`` has the allowed modes, the default first. ``enhance=False`` runs no frameworks.
    """

    among: tuple[Mode, ...]
    enhance: bool
    id: str | None
    redacts: str | None
