"""Preparation of a thought: check the input, choose its mode, and hash it after its session's head."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic_core import to_json

from legacymind.calls import current_caller, said
from legacymind.embed.base import Thresholds
from legacymind.errors import InvalidInput
from legacymind.model.base import LINKS, OPEN, OPEN_TYPES, REDACTION, Mode, Submode
from legacymind.model.frameworks import FrameworkAnalysis
from legacymind.model.stored import Thought as StoredThought
from legacymind.model.think import LinkFate
from legacymind.model.values import moment
from legacymind.origins import AGENT, USER
from legacymind.services.chain import hashing
from legacymind.services.recall import hypotheses
from legacymind.services.recall import policy as recall_policy
from legacymind.services.shared import checks
from legacymind.services.think.heads import SessionKey
from legacymind.services.think.inputs import ThoughtDraft
from legacymind.settings import Settings
from legacymind.text import error_signature, frameworks, fulltext, modes, passages, standing, words
from legacymind.text.excerpts import title
from legacymind.text.keys import PossibleNames, possible_names
from legacymind.text.tags import kept_and_dropped

_NO_IDS: Final = frozenset(
    "latest last newest previous prev current this none null nil undefined unknown".split()
)
"""Words that are sent instead of an id."""

_IDEMPOTENCY: Final = uuid.UUID("7d0c2f9e-5b1a-4c5e-9a63-1f6f3a1b8e42")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought(StoredThought):
    """A checked thought with its mode and links, ready to store, and what recall and storing need beside.

    ``names`` may be those of entities. ``fates`` has the links that were dropped, and why, and the one that
    LegacyMind made itself. ``question_vector`` is that of recall if it is not the thought's own, and
    ``named`` are the authors whom a question names. It also recalls from the namespaces ``also_read``, and is
    linked to nothing there. Without a vector it recalls nothing and is embedded later
    (see ``shared/deferred.py``).
    """

    namespace: str
    content: str
    thought_type: str
    significance: float
    is_private: bool
    created_at: datetime
    recorded_at: datetime
    salt: str
    selection: modes.Selection
    dropped_tags: list[str]
    hypothesis_test: hypotheses.HypothesisTest | None
    analysis: FrameworkAnalysis | None
    policy: recall_policy.RecallPolicy
    names: list[PossibleNames]
    also_read: Sequence[str]
    fates: dict[str, LinkFate]
    vector: list[float] | None = None
    hypothesis_vector: list[float] | None = None
    question_vector: list[float] | None = None
    named: Sequence[str] = ()

    @property
    def session(self) -> SessionKey:
        """The key of its session; the session id is empty if it has none."""
        return self.namespace, self.session_id or ""

    @property
    def recalls(self) -> bool:
        """Whether it recalls memories or tests a hypothesis."""
        return self.vector is not None and (self.policy.recalls or self.hypothesis_test is not None)

    @property
    def links(self) -> list[dict[str, str]]:
        """Its links to create: the property's name, the type of the relationship, and the target's id."""
        targets = [(name, kind, getattr(self, name)) for name, kind in LINKS]
        return [{"name": name, "type": kind, "id": target} for name, kind, target in targets if target]

    @property
    def embedded_text(self) -> str:
        """The text to embed."""
        return passages.for_embedding(self.content, technical=modes.DEFAULTS[self.selection.mode].technical)


def prepare(draft: ThoughtDraft, settings: Settings, thresholds: Thresholds) -> Thought:
    """Check a draft and choose its mode. No I/O. Raises InvalidInput."""
    content = checks.text("content", draft["content"])
    hypothesis = draft.get("hypothesis")
    if hypothesis is not None:
        checks.text("hypothesis", hypothesis)
    namespace, *also_read = checks.namespaces(draft.get("namespace"), draft.get("also_read"), settings)
    own_id = _own_id(draft, namespace)
    links, fates = _links(draft, own_id)
    named = draft.get("thought_type")
    hint = draft.get("hint") or (named if named and modes.mode_of(named) else None)
    selection = modes.select(content, hint, draft.get("submode"), draft.get("among"))
    defaults = modes.DEFAULTS[selection.mode]
    source = said(draft.get("origin"))
    now = datetime.now(UTC)
    created = checks.moment(draft.get("created_at")) or now
    if created > now and source["trust"] < USER:  # it would be the newest until then
        created = now
    until = draft.get("expires_at")
    expires = None if until is None else checks.moment(moment(until))
    if expires is not None and expires <= created:
        raise InvalidInput(
            f"expires_at is {expires.isoformat()}, which is not after the time of the thought.",
            hint="Send a later time, or a span such as 7d.",
        )
    kept, dropped_tags = kept_and_dropped(
        [checks.key("tag", tag) for tag in draft.get("tags") or ()], settings.tags
    )
    significance, confidence = draft.get("significance"), draft.get("confidence")
    significance = float(defaults.significance if significance is None else significance)
    submode, redacts, salt = selection.submode, draft.get("redacts"), hashing.new_salt()
    scale = _scale(draft.get("injection_scale"), submode, defaults)
    session_id, private = checks.key("session_id", draft.get("session_id")), bool(draft.get("is_private"))
    author = checks.key("author", draft.get("author"))
    analysis = _analysis(content, selection.mode, submode, settings) if draft.get("enhance", True) else None
    return Thought(
        id=own_id,
        namespace=namespace,
        ns_key=fulltext.thought_key(namespace, session_id, is_private=private),
        other_forms=fulltext.other_forms(content, author),
        title=title(content),
        content=content,
        content_digest=hashing.content_digest(salt, content),
        salt=salt,
        selection=selection,
        mode=selection.mode,
        submode=submode,
        thought_type=_thought_type(draft) or selection.mode,
        **source,
        author=author,
        tags=kept,
        dropped_tags=dropped_tags,
        significance=significance,
        salience=significance,
        confidence=None if confidence is None else float(confidence),
        hypothesis=hypothesis,
        hypothesis_digest=hashing.hypothesis_digest(salt, hypothesis),
        hypothesis_test=hypotheses.plan_test(
            hypothesis,
            content,
            requested=draft.get("needs_verification"),
            top_k=draft.get("verify_top_k"),
            min_similarity=draft.get("min_similarity"),
            limit=draft.get("evidence_limit"),
            patterns=draft.get("contradiction_patterns"),
            settings=settings,
            thresholds=thresholds,
        ),
        error_signature=error_signature.error_signature(content),
        analysis=analysis,
        framework_enhanced=analysis is not None,
        framework_analysis=None if analysis is None else to_json(analysis).decode(),
        session_id=session_id,
        chain_id=checks.key("chain_id", draft.get("chain_id")),
        previous_thought_id=links["previous_thought_id"],
        revises_thought=links["revises_thought"],
        branch_from=links["branch_from"],
        parent_id=links["parent_id"],
        action_id=checks.key("action_id", draft.get("action_id")),
        context_id=checks.key("context_id", draft.get("context_id")),
        is_private=private,
        redacts=redacts,
        hot=redacts is None,
        pinned=False,
        standing=_standing(draft.get("standing"), content, author, source["trust"])
        if redacts is None
        else None,
        injection_scale=scale,
        access_count=0,
        created_at=created,
        recorded_at=now,
        expires_at=expires,
        found_until=expires or OPEN,
        policy=recall_policy.policy_for(
            scale,
            selection.mode,
            submode,
            created,
            thresholds,
            settings,
            contradictions=bool(draft.get("include_contradictions")),
        ),
        names=possible_names(content),
        also_read=also_read,
        fates=fates,
    )


def _analysis(
    content: str, mode: Mode, submode: Submode | None, settings: Settings
) -> FrameworkAnalysis | None:
    """The analysis by the frameworks, if they find anything."""
    return frameworks.analyze(content, mode, submode) if settings.think_enhance else None


def _scale(requested: int | None, submode: Submode | None, defaults: modes.Defaults) -> int:
    """The requested injection scale, else the mode's default, else 0 for the submode adderall."""
    if requested is not None:
        return requested
    return 0 if submode == "adderall" else defaults.scale


def _own_id(draft: ThoughtDraft, namespace: str) -> str:
    """The id of the draft, else one derived from its idempotency key, else a new one."""
    requested, key = checks.thought_id("id", draft.get("id")), draft.get("idempotency_key")
    if requested is not None:
        return requested
    return str(uuid.uuid4()) if key is None else keyed_id(namespace, key)


def keyed_id(namespace: str, key: str) -> str:
    """The id of a thought of this caller by its idempotency key."""
    caller = current_caller()
    own = "" if caller.trust == USER else f"{caller.trust} {caller.by}\0"  # nobody takes a key of the user's
    return derived_id(namespace, own + checks.key("idempotency_key", key))


def derived_id(namespace: str, key: str) -> str:
    """The id of a thought by a key of the caller's, which is unique in the namespace."""
    return str(uuid.uuid5(_IDEMPOTENCY, f"{namespace}\0{key}"))


def _links(draft: ThoughtDraft, own_id: str) -> tuple[dict[str, str | None], dict[str, LinkFate]]:
    """The link targets by name, and the reason for each dropped link.

    A link to the thought itself is dropped. Of links with one target the one that says most is kept: a
    revision, else a branch, else the thought before; and the parent in any case.
    """
    links: dict[str, str | None] = {
        "previous_thought_id": _target("previous_thought_id", draft.get("previous_thought_id")),
        "revises_thought": _target("revises_thought", draft.get("revises_thought")),
        "branch_from": _target("branch_from", draft.get("branch_from")),
        "parent_id": _target("parent_id", draft.get("parent_id")),
    }
    fates: dict[str, LinkFate] = {
        name: "dropped_self_link" for name, target in links.items() if target == own_id
    }
    kept: set[str] = set()
    for name in ("revises_thought", "branch_from", "previous_thought_id"):
        target = links[name]
        if target in kept:
            fates.setdefault(name, "dropped_duplicate")
        elif target is not None and name not in fates:
            kept.add(target)
    return {name: None if name in fates else target for name, target in links.items()}, fates


def _target(name: str, value: str | None) -> str | None:
    """The id of a link's target. A word that models send for one would wait for a thought for ever."""
    target = checks.thought_id(name, value)
    if target is not None and target.lower() in _NO_IDS:
        raise InvalidInput(
            f"{name}: {target!r} is no id of a thought.",
            hint="Send the id of a result, such as `thought_id`; legacymind_search lists those of a session. "
            "By itself, a thought follows the latest of its session.",
        )
    return target


def _thought_type(draft: ThoughtDraft) -> str | None:
    """The type that the caller names. Only a redaction may have that of redactions."""
    named = checks.key("thought_type", draft.get("thought_type"))
    if named is not None and words.folded(named).strip() == REDACTION and draft.get("redacts") is None:
        raise InvalidInput(
            "Only redactions have the type `redaction`: another thought would look like one.",
            hint="Choose another thought_type, or remove a text with legacymind_forget.",
        )
    known = words.folded(named or "").strip()
    return known if known in OPEN_TYPES else named


def _standing(requested: bool | None, content: str, author: str | None, trust: int) -> Literal[True] | None:
    """The mark of a standing preference or instruction. Not hashed.

    The user has it by the words or as requested, an agent as requested, and anything less trusted never.
    """
    stated = standing.is_standing(content, author) if requested is None and trust >= USER else requested
    return True if stated and trust >= AGENT else None
