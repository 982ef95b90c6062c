"""Excerpts: the beginning of a text, for answers that list many texts."""


def excerpt(content: str | None, limit: int) -> str:
    """The first ``limit`` characters and an ellipsis; a redacted content (None) gives an empty string."""
    whole = content or ""
    return whole if len(whole) <= limit else f"{whole[:limit]}…"
