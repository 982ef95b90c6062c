"""Facts about one entity that contradict each other."""

import pytest

from legacymind.text.claims.disagreement import cues, disagreements


def found(name: str, one: str, other: str) -> list[tuple[str, str]]:
    return [(pair.reason, pair.attribute) for pair in disagreements(name, {"1": one, "2": other})]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The port is 8000", "port is 9000.", "value"),
        ("Billing's timeout: 30 s", "Its timeout is now 45 s", "value"),
        ("Billing lives in Lyon", "It lives in Rome, near the river", "value"),
        ("Billing is based in Lyon", "billing is based in Rome", "value"),
        ("Billing has 20 connections", "Billing has exactly thirty connections", "value"),
        ("Billing has 20 connections", "Billing has exactly 30 connections in its pool", None),
        ("Billing has 20 connections", "It has exactly 30 connections", "value"),
        ("He is 36 years old", "Billing is 37 years old", "value"),
        ("Billing listens on port 80", "It listens on port 8080", "value"),
        ("Billing is married to Ada", "Billing is married to Eve", "value"),
        ("Billing is married to Ada", "Billing is not married to Ada", "negation"),
        ("His favorite color is blue", "Billing's favorite color is red", "value"),
        ("Billing was born in 1815", "Billing was born in 1816", "value"),
        ("The cache is enabled", "The cache is disabled.", "value"),
        ("Billing is online", "Billing isn't online", "negation"),
        ("Billing likes strong coffee", "Billing doesn't like strong coffee", "negation"),
        ("The service can reach the database", "The service cannot reach the database", "negation"),
        ("Billing uses Redis", "Billing no longer uses Redis", "negation"),
        ("The staging URL is https://one.example", "Billing's staging URL: https://two.example", "value"),
        ("The release manager of Billing is Ada", "Billing's release manager is Bob", "value"),
        ("Its lead is Ada", "The lead of Billing is Bob", "value"),
        ("Billing runs Airflow 2.9", "Billing runs on Airflow 3.1", None),
        ("Billing runs Airflow 2.9", "It runs Airflow 9.2", "value"),
        ("Billing was founded by Ada", "Billing was founded by Eve", "value"),
        ("Billing plays the position of center", "Billing plays the position of goalkeeper", "value"),
        (
            "The type of music that Billing plays is jazz",
            "The type of music that Billing plays is rock",
            "value",
        ),
        ("Billing's Slack channel is #bill", "Billing's Slack channel is #money", "value"),
    ],
)
def test_two_values_and_denials_contradict(one: str, other: str, reason: str | None) -> None:
    assert [kind for kind, _ in found("Billing", one, other)] == ([] if reason is None else [reason])
    if reason is not None:
        for text, against in ((one, other), (other, one)):
            assert any(cue in against.lower() for cue in cues("Billing", text)), (text, against)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada lives in Lyon", "Ada lives in Lyon, France"),
        ("Ada lives in Lyon", "Ada lives in a small flat"),
        ("Ada lives in Lyon", "Ada lived in Rome"),
        ("Ada lives in Lyon", "Ada's brother lives in Rome"),
        ("Ada knows Bob", "Ada knows Eve"),
        ("Ada likes Rome", "Ada likes Lyon"),
        ("One of Ada's friends is Bob", "One of Ada's friends is Eve"),
        ("Ada's problem is Kafka", "Ada's problem is Redis"),
        ("The staging URL is https://a.example", "The production URL is https://b.example"),
        ("The team's lead is Bob", "The team's lead is from Rome"),
        ("Ada's dogs are city dogs", "Ada's dogs are mutts"),
        ("Ada is an engineer", "Ada is a mother"),
        ("Ada has two cats", "Ada has three dogs"),
        ("The port is 8000", "The port of the test server is 9000"),
        ("The default port is 8000", "The default user is admin"),
        ("The price is 1,000 EUR", "The price is 1000 EUR"),
        ("Ada likes coffee", "Ada does not like tea"),
        ("If the port is 8000, it fails", "The port is 9000"),
        ("Is the port 8000?", "The port is not 8000"),
        ("port = 8000;", "port = 9000;"),
        ("Ada may be married to Bob", "Ada is not married to Bob"),
    ],
)
def test_other_attributes_subjects_and_times_agree(one: str, other: str) -> None:
    assert found("Ada", one, other) == []


def test_a_long_text_is_not_read() -> None:
    long = "The port is 8000. " + "x" * 300
    assert (found("Ada", long, "The port is 9000"), cues("Ada", long), cues("Ada", "Ada")) == ([], [], [])
