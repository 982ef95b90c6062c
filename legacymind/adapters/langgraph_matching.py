"""What LangGraph's filters of values and its conditions on namespaces mean."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langgraph.store.base import MatchCondition


def fits(condition: MatchCondition, namespace: Sequence[str]) -> bool:
    """Whether a namespace begins or ends with a path; ``*`` stands for any label."""
    path, length = condition.path, len(condition.path)
    if length > len(namespace):
        return False
    part = namespace[:length] if condition.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(asked in ("*", label) for asked, label in zip(path, part, strict=True))


def passes(value: Any, asked: Any) -> bool:
    """Whether a value passes a filter: an equal value, a mapping of filters, or a mapping of operators."""
    if isinstance(asked, Mapping):
        conditions = cast("Mapping[str, Any]", asked)
        if any(name.startswith("$") for name in conditions):
            return all(_compares(value, operator, other) for operator, other in conditions.items())
        members = cast("Mapping[str, Any]", value if isinstance(value, Mapping) else {})
        return all(passes(members.get(name), each) for name, each in conditions.items())
    if isinstance(asked, list | tuple):
        several = cast("Sequence[Any]", asked)
        values = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else None
        return values is not None and len(values) == len(several) and all(map(passes, values, several))
    return bool(value == asked)


def _compares(value: Any, operator: str, other: Any) -> bool:
    if operator == "$eq":
        return bool(value == other)
    if operator == "$ne":
        return bool(value != other)
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise ValueError(f"Unknown operator {operator!r}: use $eq, $ne, $gt, $gte, $lt or $lte.")
    try:
        left, right = float(value), float(other)
    except (TypeError, ValueError):
        return False  # a value that is no number is in no range
    return {"$gt": left > right, "$gte": left >= right, "$lt": left < right, "$lte": left <= right}[operator]
