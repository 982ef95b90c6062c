"""The parts of a query that ranking uses: dates, times, authors and person."""

from datetime import UTC, datetime, timedelta

import pytest

from legacymind.text import query_analysis

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def read(query: str, *names: str) -> query_analysis.Question:
    return query_analysis.analyse(query, names, NOW)


@pytest.mark.parametrize(
    ("query", "years", "months"),
    [
        ("What happened in May 2023?", [2023], [5]),
        ("May I ask what Ada may like?", [], []),
        ("the march of progress in March", [], [3]),
        ("between June and august 2021 or 2022", [2021, 2022], [6, 7, 8]),
        ("room 1234 and 20235", [], []),
        ("", [], []),
    ],
)
def test_months_and_years_are_recognised(query: str, years: list[int], months: list[int]) -> None:
    found = read(query)
    assert (found.years, found.months) == (years, months)


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("on 7 May", 127),
        ("on the 7th of May 2023", 127),
        ("on May 7th", 127),
        ("on December 31", 365),
        ("February 30", -1000),
        ("99 May", -1000),
        ("May 2023", -1000),
        ("seven", -1000),
    ],
)
def test_a_date_becomes_a_day_of_the_year(query: str, day: int) -> None:
    assert read(query).day == day


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did it break?", True),
        ("  since when?", True),
        ("How long was the outage?", True),
        ("In which month?", True),
        ("What year was it?", True),
        ("What did you say when it broke?", False),
        ("Whenever you like", False),
    ],
)
def test_a_query_for_a_time_is_recognised(query: str, asks: bool) -> None:
    assert read(query).asks_when is asks


@pytest.mark.parametrize(
    ("query", "days_ago"),
    [
        ("what did I say yesterday", 1),
        ("two weeks ago", 14),
        ("3 days ago", 3),
        ("a month ago", 30),
        ("last week", 7),
        ("today", 0),
    ],
)
def test_relative_times_become_spans_around_the_meant_time(query: str, days_ago: int) -> None:
    ((start, end),) = read(query).spans
    assert start < NOW - timedelta(days=days_ago) < end
    assert not start < NOW - timedelta(days=days_ago * 3 + 5) < end


def test_the_first_person_is_the_user_unless_an_author_is_named() -> None:
    assert read("What did I buy?").names == ["user", "human"]
    assert read("What did Ada tell me?", "Ada Lovelace").names == ["ada lovelace"]
    assert read("What did ada buy in i?").names == []


def test_an_answer_to_the_user_is_not_by_the_user() -> None:
    assert read("What did you recommend for my kettle?").names == []
    assert read("Could you find my kettle?").names == ["user", "human"]
    assert "user" not in query_analysis.possible_names("the kettle that you told me about")


def test_an_author_is_named_by_the_whole_name_or_its_first_word() -> None:
    authors = ["Ada Lovelace", "Grace", "walker", "Jo"]
    assert query_analysis.named_authors("What did ada say to Grace?", authors) == ["Ada Lovelace", "Grace"]
    assert query_analysis.named_authors("Lovelace was walking with Joan", authors) == []


@pytest.mark.parametrize(
    ("query", "authors", "said"),
    [
        ("What is Ada's bike?", ["Ada"], "What is my bike?"),
        ("What is Ada’s bike?", ["Ada"], "What is my bike?"),
        ("Where does Ada Lovelace live?", ["Ada Lovelace"], "Where does I live?"),
        ("Where do Ada and Grace live?", ["Ada", "Grace"], "Where do I and I live?"),
        ("What does the user's dog eat?", ["user"], "What does my dog eat?"),
        ("What did the planner decide?", ["planner"], "What did the planner decide?"),
        ("Adam's Adaptation", ["Ada"], "Adam's Adaptation"),
        ("(C++) \\1 said", ["C++", "\\1"], "(C++) \\1 said"),
        ("What is Elise's job?", ["elise"], "What is my job?"),
        ("Assistant or Elise?", ["assistant", "elise"], "Assistant or I?"),
        ("what did the assistant say?", ["assistant"], "what did the assistant say?"),
    ],
)
def test_a_query_about_an_author_becomes_first_person(query: str, authors: list[str], said: str) -> None:
    assert query_analysis.in_first_person(query, authors) == said


def test_other_names_become_those_of_their_authors() -> None:
    others = {"Mohammed": "\\1 ali", "Kate": "emi smith"}
    said = query_analysis.with_names("Did Mohammed or Kate's mother call?", others)
    assert said == "Did \\1 or Emi's mother call?"


def test_a_thought_names_mentioned_authors_and_its_own_only_in_a_question() -> None:
    told = query_analysis.analyse_thought("I think Grace broke the kettle", "Ada", NOW)
    assert {"grace", "kettle"} <= set(told.names)
    assert "ada" not in told.names
    assert query_analysis.analyse_thought("Where did I put the kettle?", "Ada", NOW).names == ["ada"]
    assert query_analysis.analyse_thought("Where did I put the kettle?", None, NOW).names == ["user", "human"]
    assert (
        len(query_analysis.analyse_thought(" ".join(f"word{n}" for n in range(30_000)), "Ada", NOW).names)
        <= 64
    )


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ada buy the kettle?", True),
        ("How did the pump fail? Mention only five items.", True),
        ("what does the billing export contain", True),
        ("kafka consumer lag", True),
        ("The ETA of two vessels near Singapore jumps by eight hours.", False),
        ("Hi. I'm ready to follow those bloggers. What's the next step?", False),
    ],
)
def test_a_text_that_begins_with_a_question_asks_and_others_state(query: str, asks: bool) -> None:
    assert query_analysis.analyse(query, [], NOW).asks is asks
