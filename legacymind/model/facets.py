"""What the hits of a search have in common."""

from dataclasses import dataclass, field
from typing import Annotated

from legacymind.model.about import about
from legacymind.model.base import Answer
from legacymind.model.graph import FacetValue


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFacets(Answer):
    """The most frequent values among the first hits of a search, at most 50 of each property."""

    counted: Annotated[
        int, about("Number of hits that were counted: the first 200, or all if they are fewer")
    ]
    more: Annotated[bool, about("Whether more hits follow those that were counted")]
    left_out: Annotated[int, about("Number of values that did not fit in the token budget")] = 0
    kinds: Annotated[list[FacetValue], about("Kinds")] = field(default_factory=list[FacetValue])
    modes: Annotated[list[FacetValue], about("Modes")] = field(default_factory=list[FacetValue])
    thought_types: Annotated[list[FacetValue], about("Types of thoughts")] = field(
        default_factory=list[FacetValue]
    )
    authors: Annotated[list[FacetValue], about("Authors")] = field(default_factory=list[FacetValue])
    origins: Annotated[list[FacetValue], about("Origins")] = field(default_factory=list[FacetValue])
    sessions: Annotated[list[FacetValue], about("Sessions")] = field(default_factory=list[FacetValue])
    chains: Annotated[list[FacetValue], about("Labels (`chain_id`)")] = field(
        default_factory=list[FacetValue]
    )
    entity_types: Annotated[list[FacetValue], about("Types of entities")] = field(
        default_factory=list[FacetValue]
    )
