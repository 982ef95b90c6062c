"""How scores and cosines are shown."""


def round_score(score: float | None) -> float | None:
    """A score or cosine to four decimals; None stays None."""
    return None if score is None else round(score, 4)
