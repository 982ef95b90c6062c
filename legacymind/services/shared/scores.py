"""Rounding of scores and cosines in results."""


def round_score(score: float | None) -> float | None:
    """A score or cosine rounded to four decimals; None stays None."""
    return None if score is None else round(score, 4)
