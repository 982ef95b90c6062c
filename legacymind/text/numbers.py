"""Numbers in sentences."""


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one: "1 entity", "2 entities"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
