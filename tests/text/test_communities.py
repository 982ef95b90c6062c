"""Labels of groups of texts: what sets each group apart, in words that people wrote."""

from legacymind.text.communities import Labelled, labels


def test_a_label_has_the_words_that_set_a_group_apart() -> None:
    tanks = ["The team stirred the oxygen tanks.", "An oxygen tank burst.", "The team vented oxygen."]
    bread = ["The team baked bread.", "Bread needs a hot oven.", "The oven of the team was cold."]
    first, second = labels([[Labelled(text) for text in group] for group in (tanks, bread)])
    assert first.split(", ")[:2] == ["oxygen", "tank"]  # once, although it is written in two forms
    assert second.lower().split(", ")[:2] == ["bread", "oven"]
    assert "team" not in f"{first} {second}".split(", ")[:2]


def test_names_and_tags_are_terms_as_they_are_written() -> None:
    (label,) = labels(
        [
            [
                Labelled("", name="Health Check"),
                Labelled("The health check lied.", ["cold-start"]),
                Labelled("A pod failed its health check.", ["cold-start"]),
            ]
        ]
    )
    assert label.split(", ")[:2] == ["Health Check", "cold-start"]
    assert "health" not in label.split(", ")  # part of the name


def test_a_label_is_short_and_never_empty() -> None:
    word = "antidisestablishmentarianism"
    long, empty = labels([[Labelled(f"{word}a {word}b {word}c")], [Labelled("It is what it is, isn't it?")]])
    assert 0 < len(long) <= 60
    assert empty == "unnamed"
    assert labels([]) == []


def test_what_every_group_says_and_what_one_text_of_many_says_names_no_topic() -> None:
    groups = [[Labelled(f"The {topic} was fun.")] * 3 for topic in ("bowl", "lid", "kiln")]
    assert labels(groups) == ["bowl, fun", "lid, fun", "kiln, fun"]
    (label,) = labels([[Labelled(text) for text in ["pottery"] * 5 + ["a kiln"]]])
    assert label == "pottery"
