"""Descriptions of enums and of their values, by the names of the types in ``model`` and in services."""

from collections.abc import Mapping
from typing import Final

from legacymind.services.chain.faults import SENTENCES

_MODES: Final = {
    "debug": "Looking for the cause of a fault.",
    "build": "Making something.",
    "plan": "Preparing what to do.",
    "stuck": "Not getting on; what solved the same problem before is recalled first.",
    "question": "Asking or wondering; the mode of a thought without another one.",
    "conclude": "Drawing a conclusion.",
}

CHOICES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "Mode": (
        "How a thought is thought. It decides what is recalled and how memories are weighed.",
        _MODES,
    ),
    "Submode": (
        "A manner of thinking, which favours some memories among those that are about equally relevant.",
        {
            "sarcastic": "Favours objections, with a lower threshold.",
            "philosophical": "Favours abstractions.",
            "empathetic": "Favours feelings, with a higher threshold.",
            "problem_solving": "Favours solutions.",
            "adderall": "Recalls nothing unless a scale is given.",
        },
    ),
    "Declared": (
        "An origin that a caller states; it is never more trusted than the caller.",
        {"human": "The same as `USER`.", "tool": "From outside.", "web": "From outside."},
    ),
    "Way": (
        "How a memory touched something.",
        {
            "made": "It was made from it.",
            "shown": "It recalled it.",
            "changed": "It was ended, solved or contradicted by it.",
            "after": "It came after in a session that had recalled it.",
        },
    ),
    "Kind": ("The kind of a node.", {}),
    "ForgottenKind": (
        "The kind of what is forgotten.",
        {
            "description": "The description of an entity that stays, its data, or the record of a merge.",
        },
    ),
    "RelationDirection": ("The direction of a relation, seen from the entity that was read.", {}),
    "ThoughtRelation": ("A relation of a thought to another node; the last three lead only to thoughts.", {}),
    "Direction": ("The direction of a walk.", {}),
    "SessionOrder": ("The order of sessions.", {}),
    "ThreadOrder": ("The order of thoughts in time.", {}),
    "Order": ("The order of hits.", {}),
    "Method": (
        "How a search finds hits.",
        {
            "graph": "By meaning and words, ranked with their neighbours in the graph.",
        },
    ),
    "UsedMethod": ("How hits were found.", {"list": "Without a query: thoughts by time."}),
    "Via": (
        "How a memory was found.",
        {
            "vector": "By its meaning.",
            "fulltext": "By its words.",
            "graph": "It is linked to a hit.",
            "revision": "It is the latest revision of a memory.",
            "solution": "It solves a memory.",
            "standing": "It is a standing preference or instruction with a related topic.",
            "fallback": "It is knowledge only nearly related, if recall by thresholds brings nothing else.",
            "lateral": "It is related to a hit.",
            "contradiction": "It contradicts a hit.",
            "playbook": "It solved the same or a similar problem.",
            "recent": "It is of the last minutes.",
            "pruned": "In the result of a repeated call: its relationship was removed.",
        },
    ),
    "TimeUnit": ("The length of a span of time, which begins at a full unit in UTC.", {}),
    "ChainVerdict": (
        "The result of verifying a hash chain.",
        {
            "intact": "Nothing was changed.",
            "truncated": "All stored steps verify, but the last one is not the session's head.",
            "broken": "A fault was found.",
            "unverifiable": "A required key is missing, and nothing else is wrong.",
        },
    ),
    "BeliefVerdict": (
        "What was believed about a thought at a time, as far as the memory knew then.",
        {"unknown": "It was not thought yet.", "held": "It was none of the others."},
    ),
    "FaultKind": ("A kind of fault in a chain, and what it means.", {**SENTENCES}),
    "LinkFate": (
        "What became of a link of a new thought.",
        {
            "record": "The linked thought exists.",
            "string": "The link waits for the thought.",
            "automatic": "LegacyMind linked the latest thought of the session.",
            "dropped_self_link": "It would have linked the thought to itself, and was not stored.",
            "dropped_duplicate": "Another link of the thought has the same target; this one was not stored.",
        },
    ),
    "MissReason": (
        "Why a memory was not recalled.",
        {
            "below_threshold": "Its cosine was too low.",
            "outranked": "Others scored higher.",
            "later": "It is not older than the thought.",
            "dormant": "It is not hot.",
            "outside_chain": "It is not a step of its session's chain.",
            "nothing_recalled": "The thought recalls nothing, as with scale 0.",
        },
    ),
}
"""The description of each enum, and those of the values whose names do not say it."""
