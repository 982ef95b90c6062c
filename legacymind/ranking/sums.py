"""Means and standard deviations over candidates."""

import numpy as np

from legacymind.ranking.words import Floats


def standardised(values: Floats, least: float = 1e-9) -> Floats:
    """The values as standard deviations from their mean; unscaled if they hardly differ."""
    deviation = float(np.std(values))
    return (values - np.mean(values)) / (deviation if deviation > least else 1.0)


def bounded(values: Floats, weight: float, most: float = 2.5) -> Floats:
    """Standardised values times a weight, at most ``most`` deviations; zeros if all are equal.

    Bounded, because one rare word must not lift a whole session above candidates with the same meaning.
    """
    if float(np.std(values)) <= 1e-9:
        return np.zeros(len(values))
    return weight * np.minimum(standardised(values), most)
