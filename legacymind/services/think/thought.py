"""Preparation of a thought: check the input, choose its mode, and hash it after its session's head."""

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic_core import to_json

from legacymind.db.statements.think import StoredAgain
from legacymind.db.stored import StoredThought
from legacymind.embed.base import Thresholds
from legacymind.errors import ConfigurationError
from legacymind.model.base import LINKS, Mode, Submode
from legacymind.model.frameworks import FrameworkAnalysis
from legacymind.services.chain import hashing
from legacymind.services.recall import policy as recall_policy
from legacymind.services.shared import checks
from legacymind.services.think import hypotheses
from legacymind.services.think.inputs import ThoughtDraft
from legacymind.services.think.session_slots import Head
from legacymind.settings import Settings
from legacymind.text import error_signature, frameworks, fulltext, modes, passages, standing
from legacymind.text.tags import kept_and_dropped
from legacymind.text.titles import title

_IDEMPOTENCY: Final = uuid.UUID("7d0c2f9e-5b1a-4c5e-9a63-1f6f3a1b8e42")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A checked thought with its mode and links, ready to store."""

    id: str
    namespace: str
    content: str
    selection: modes.Selection
    submode: Submode | None
    thought_type: str
    origin: str
    author: str | None
    tags: list[str]
    dropped_tags: list[str]
    significance: float
    confidence: float | None
    hypothesis: str | None
    hypothesis_test: hypotheses.HypothesisTest | None
    error_signature: str | None
    analysis: FrameworkAnalysis | None
    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    context_id: str | None
    is_private: bool
    created_at: datetime
    recorded_at: datetime
    policy: recall_policy.RecallPolicy
    dropped: dict[str, str]
    salt: str
    redacts: str | None = None

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
    namespace = checks.namespace(draft.get("namespace"), settings)
    own_id = _own_id(draft, namespace)
    links, dropped = _links(draft, own_id)
    wish = modes.understand(draft.get("hint"), draft.get("submode"), draft.get("among"))
    selection = modes.select(content, wish, draft.get("among"))
    defaults = modes.DEFAULTS[selection.mode]
    now = datetime.now(UTC)
    created = checks.moment(draft.get("created_at")) or now
    kept, dropped_tags = kept_and_dropped(
        [checks.key("tag", tag) for tag in draft.get("tags") or ()], settings.tags
    )
    scale, significance, confidence = (
        draft.get("injection_scale"),
        draft.get("significance"),
        draft.get("confidence"),
    )
    submode = wish.submode
    enhanced = draft.get("enhance", True)
    return Thought(
        id=own_id,
        namespace=namespace,
        content=content,
        selection=selection,
        submode=submode,
        thought_type=checks.key("thought_type", draft.get("thought_type")) or selection.mode,
        origin=checks.key("origin", draft.get("origin")) or defaults.origin,
        author=checks.key("author", draft.get("author")),
        tags=kept,
        dropped_tags=dropped_tags,
        significance=float(defaults.significance if significance is None else significance),
        confidence=None if confidence is None else float(confidence),
        hypothesis=hypothesis,
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
        analysis=_analysis(content, selection.mode, submode, settings) if enhanced else None,
        session_id=checks.key("session_id", draft.get("session_id")),
        chain_id=checks.key("chain_id", draft.get("chain_id")),
        previous_thought_id=links["previous_thought_id"],
        revises_thought=links["revises_thought"],
        branch_from=links["branch_from"],
        parent_id=links["parent_id"],
        action_id=checks.key("action_id", draft.get("action_id")),
        context_id=checks.key("context_id", draft.get("context_id")),
        is_private=bool(draft.get("is_private")),
        created_at=created,
        recorded_at=now,
        policy=recall_policy.policy_for(
            _scale(scale, submode, defaults),
            selection.mode,
            submode,
            created,
            thresholds,
            settings,
            contradictions=bool(draft.get("include_contradictions")),
        ),
        dropped=dropped,
        salt=hashing.new_salt(),
    )


def as_stored(thought: Thought, stored: StoredAgain, settings: Settings, thresholds: Thresholds) -> Thought:
    """The thought of a repeated call, with the values that the first call stored."""
    mode, submode, scale = stored["mode"], stored.get("submode"), stored["injection_scale"]
    hypothesis = stored.get("hypothesis")
    now = (thought.selection.mode, thought.submode, thought.policy.scale, thought.hypothesis)
    if now == (mode, submode, scale, hypothesis):
        return thought
    return replace(
        thought,
        selection=modes.selection_of_stored(mode, thought.content, thought.selection),
        submode=submode,
        hypothesis=hypothesis,
        analysis=_analysis(thought.content, mode, submode, settings),
        policy=recall_policy.policy_for(scale, mode, submode, stored["created_at"], thresholds, settings),
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
    if key is None:
        return str(uuid.uuid4())
    return derived_id(namespace, checks.key("idempotency_key", key))


def derived_id(namespace: str, key: str) -> str:
    """The id of a thought by a key of the caller's, which is unique in the namespace."""
    return str(uuid.uuid5(_IDEMPOTENCY, f"{namespace}\0{key}"))


def _links(draft: ThoughtDraft, own_id: str) -> tuple[dict[str, str | None], dict[str, str]]:
    """The link targets by name, and the reason for each dropped link.

    A link to the thought itself is dropped, and so is a repeated target, except the parent.
    """
    requested = (
        draft.get("previous_thought_id"),
        draft.get("revises_thought"),
        draft.get("branch_from"),
        draft.get("parent_id"),
    )
    links: dict[str, str | None] = {}
    dropped: dict[str, str] = {}
    seen: set[str] = set()
    for (name, _), value in zip(LINKS, requested, strict=True):
        target = checks.thought_id(name, value)
        if target is not None and target == own_id:
            dropped[name] = "dropped_self_link"
            target = None
        elif target is not None and name != "parent_id":
            if target in seen:
                dropped[name] = "dropped_duplicate"
                target = None
            else:
                seen.add(target)
        links[name] = target
    return links, dropped


def properties(thought: Thought, head: Head | None, keys: hashing.ChainKeys) -> StoredThought:
    """The properties to store, hashed after ``head``. Without a head the thought belongs to no chain."""
    if head is not None and head.key_id is not None and keys.current is None:
        raise ConfigurationError(
            f"The chain of {thought.session_id} is keyed with {head.key_id}; no key is configured.",
            hint="Set LEGACYMIND_CHAIN_KEY. A step without a key would break the chain permanently.",
        )
    previous = thought.previous_thought_id
    if previous is None and head is not None:
        # A thought that revises or branches from the latest one already has a link to it.
        taken = {thought.revises_thought, thought.branch_from}
        previous = head.thought_id if head.thought_id not in taken else None
    stored: StoredThought = {
        "id": thought.id,
        "namespace": thought.namespace,
        "ns_key": fulltext.thought_key(thought.namespace, thought.session_id, is_private=thought.is_private),
        "title": title(thought.content),
        "content": thought.content,
        "content_digest": hashing.content_digest(thought.salt, thought.content),
        "salt": thought.salt,
        "mode": thought.selection.mode,
        "submode": thought.submode,
        "thought_type": thought.thought_type,
        "origin": thought.origin,
        "author": thought.author,
        "tags": thought.tags,
        "significance": thought.significance,
        "salience": thought.significance,
        "confidence": thought.confidence,
        "hypothesis": thought.hypothesis,
        "hypothesis_digest": hashing.hypothesis_digest(thought.salt, thought.hypothesis),
        "redacts": thought.redacts,
        "error_signature": thought.error_signature,
        "framework_enhanced": thought.analysis is not None,
        "framework_analysis": None if thought.analysis is None else _json(thought.analysis),
        "session_id": thought.session_id,
        "chain_id": thought.chain_id,
        "previous_thought_id": previous,
        "revises_thought": thought.revises_thought,
        "branch_from": thought.branch_from,
        "parent_id": thought.parent_id,
        "action_id": thought.action_id,
        "context_id": thought.context_id,
        "is_private": thought.is_private,
        "hot": thought.redacts is None,
        "pinned": False,
        "standing": _standing(thought),
        "injection_scale": thought.policy.scale,
        "access_count": 0,
        "created_at": thought.created_at,
        "recorded_at": thought.recorded_at,
        "step_index": None if head is None else head.step + 1,
        "chained": None if head is None else True,
        "hash_version": hashing.HASH_VERSION,
        "hash_alg": keys.alg,
        "key_id": keys.current,
        "content_hash": "",
        "prev_hash": None,
        "chain_hash": None,
    }
    stored["content_hash"] = hashing.content_hash(stored)
    if head is not None:
        stored["prev_hash"] = head.hash
        secret = keys.secret(keys.current)
        stored["chain_hash"] = hashing.chain_hash(head.hash, stored["content_hash"], secret)
    return stored


def _standing(thought: Thought) -> Literal[True] | None:
    """The mark of a standing preference or instruction. Derived and not hashed, so it can be recomputed."""
    stated = thought.redacts is None and standing.is_standing(thought.content, thought.author)
    return True if stated else None


def _json(analysis: FrameworkAnalysis) -> str:
    # Neo4j has no map properties.
    return to_json(analysis).decode()
