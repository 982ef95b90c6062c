"""Relationship types from the relation names of other tools, which are any text."""

import re
import unicodedata

from legacymind.model.base import RESERVED
from legacymind.services.knowledge.importers.records import Fault

_OTHER = re.compile(r"[^A-Z0-9]+")
_LONGEST = 64


def relation_type(name: str) -> str:
    """The relationship type of a relation's name: upper case, ASCII, other characters as one underscore.

    Types that LegacyMind creates itself get the prefix ``ENTITY_``: "depends on" becomes
    ``ENTITY_DEPENDS_ON``. Raises Fault for a name without a Latin letter.
    """
    plain = unicodedata.normalize("NFKD", name)
    ascii_only = "".join(character for character in plain if not unicodedata.combining(character)).upper()
    joined = _OTHER.sub("_", ascii_only).strip("_")
    if not re.search("[A-Z]", joined):
        raise Fault(f"the relation type {name[:80]!r} has no Latin letter")
    if joined in RESERVED or not joined[0].isalpha():
        joined = f"ENTITY_{joined}"
    return joined[:_LONGEST].rstrip("_")
