"""Keys of names and facts."""

import pytest

from legacymind.text.keys import fact_key, normalised


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Ada  Lovelace", "ada lovelace"),
        (" Ada\tLovelace\n", "ADA LOVELACE"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Straße", "STRASSE"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﬁle", "FILE"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ],
)
def test_names_that_differ_in_case_spacing_or_composition_have_one_key(name: str, same: str) -> None:
    assert normalised(name) == normalised(same)
    assert fact_key(name) == fact_key(same)
    assert normalised(normalised(name)) == normalised(name)


def test_other_names_have_other_keys() -> None:
    assert len({normalised(name) for name in ("Ada", "Adá", "A da", "Ada.", "Аda")}) == 5
