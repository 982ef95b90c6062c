"""Re-embedding: the state of a change of the embedding model, and the comparison of two models."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer

ReembedState = Literal["none", "filling", "ready", "switched", "dropping"]
"""How far a change of the embedding model is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelComparison:
    """The vectors of two models, compared by what they find, without words and links."""

    k: Annotated[int, about("Number of nearest nodes that are compared")]
    samples: Annotated[int, about("Number of stored texts that were compared")]
    overlap: Annotated[
        float | None,
        about(
            "Mean share of the nearest nodes of a text that both models find, from 0 to 1; null without texts"
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedding(Answer):
    """The state of a change of the embedding model of the whole database."""

    state: Annotated[ReembedState, about("How far the change is")]
    active: Annotated[str | None, about("Model whose vectors are searched; null before the first text")]
    other: Annotated[
        str | None,
        about("New model while its vectors are made, old one after the switch; null without a change"),
    ]
    waiting: Annotated[int, about("Number of texts without a vector of the present model")]
    waiting_in_other: Annotated[int, about("Number of texts without a vector of the other model")]
    embedded: Annotated[int, about("Number of texts that this call embedded")] = 0
    refused: Annotated[int, about("Number of texts that the embedder refused")] = 0
    started_at: Annotated[datetime | None, about("When the change began; null without one")] = None
    switched_at: Annotated[datetime | None, about("When the new model came into use; null before")] = None
    drop_after: Annotated[
        datetime | None, about("Time from which the old vectors may be dropped; null before the switch")
    ] = None
    comparison: Annotated[
        ModelComparison | None, about("What both models find; null unless the call compared them")
    ] = None
