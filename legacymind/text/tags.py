"""Tags of thoughts: duplicates, and a list of known tags."""

from collections.abc import Iterable


def kept_and_dropped(tags: Iterable[str], known: str) -> tuple[list[str], list[str]]:
    """The tags to keep and those to drop, both in their order and without duplicates.

    ``known`` is the setting ``tags``: known tags separated by commas, or ``*`` for all. Tags that differ only
    in case are one tag. It has the spelling of ``known``, else that of its first occurrence.
    """
    spelled = {tag.strip().lower(): tag.strip() for tag in known.split(",")}
    distinct: dict[str, str] = {}
    for tag in tags:
        distinct.setdefault(tag.lower(), tag)
    kept = [spelled.get(low, tag) for low, tag in distinct.items() if low in spelled or "*" in spelled]
    dropped = [tag for low, tag in distinct.items() if low not in spelled and "*" not in spelled]
    return kept, dropped
