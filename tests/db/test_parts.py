"""Statements contain their shared parts exactly as in ``cypher/_parts``."""

import itertools
import re
from pathlib import Path

import pytest

from scripts import compose_cypher
from scripts.compose_cypher import PARTS, compose, part, statements

NAMES = sorted(file.stem for file in PARTS.glob("*.cypher"))


def test_every_statement_equals_the_composition_of_its_parts() -> None:
    stale = [file.name for file in compose_cypher.stale()]
    assert stale == [], "Run `python -m scripts.compose_cypher` and commit what it writes."


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_shared(name: str) -> None:
    named = sum(file.read_text(encoding="utf-8").count(f"// part: {name}(") for file in statements())
    assert named > 1


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        (
            r"\w\.is_private\b",
            {"visible", "visible_node", "permitted", "public", "found", "own_private", "private"},
        ),
        (r"\.hot = true", {"hot"}),
        (r"content IS :: STRING NOT NULL", {"not_redacted", "lacking"}),
        (r"\.valid_to >", {"valid_at"}),
        (r"'Thought', 'Entity', 'Observation'", {"kind"}),
    ],
)
def test_a_shared_condition_is_written_only_as_a_part(expression: str, parts: set[str]) -> None:
    """Private, hot, valid and redacted have one meaning each (docs/reference/graph.md)."""
    for file in statements():
        for line in file.read_text(encoding="utf-8").splitlines():
            if re.search(expression, line) and not line.startswith("//"):
                _, _, mark = line.partition("  // part: ")
                assert mark.partition("(")[0] in parts or _excepted(file, expression, line), (
                    f"{file.name}: {line}"
                )


def test_every_subquery_of_a_long_statement_says_what_goes_in_and_out() -> None:
    """Its comment, or the part that it belongs to, ends directly before it."""
    for file in statements():
        lines = file.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines if len(lines) > 80 else []):
            if line.lstrip().startswith("CALL ("):
                before = itertools.takewhile(
                    lambda text: text.startswith("//"), map(str.lstrip, lines[number - 1 :: -1])
                )
                comment = " ".join(text.removeprefix("//").strip() for text in reversed([*before]))
                assert re.search(r"\bIn: .+\. Out: |part: ", comment), f"{file.name}:{number + 1}"


def _excepted(file: Path, expression: str, line: str) -> bool:
    # A flag of a node of any label, returned and not a condition; the closing of outdated observations; the
    # properties of the vector index; and new thoughts, which always have the flag.
    return (file.stem, expression) in {
        ("weigh_memory", r"\.hot = true"),
        ("remember_observations", r"\.valid_to >"),
        ("confirm_node", r"\.valid_to >"),
        ("v01_thought_vectors", r"\w\.is_private\b"),
    } or line.lstrip().startswith("session.has_private = coalesce(session.has_private, false) OR ")


def test_arguments_and_defaults_replace_their_parameters() -> None:
    assert part("visible").lines("t") == [
        "CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END "
        "AND coalesce(t.found_until > datetime(), true)"
    ]
    assert part("visible").lines("m, new.session_id") == [
        "CASE m.is_private WHEN false THEN true ELSE m.session_id = new.session_id END "
        "AND coalesce(m.found_until > datetime(), true)"
    ]


def test_a_line_keeps_its_keyword_and_its_comma_and_a_block_its_indentation() -> None:
    written = "  AND wrong  // part: hot(t)\n  kind: wrong,  // part: kind(n)\n"
    first, second = compose(written).splitlines()
    assert first == "  AND t.hot = true  // part: hot(t)"
    assert second.startswith("  kind: toLower(")
    assert second.endswith(",  // part: kind(n)")
    block = compose("    // part: last_steps(x)\n    wrong\n    // end of part\nRETURN 1\n").splitlines()
    assert block[1] == "    COLLECT {"
    assert block[-2:] == ["    // end of part", "RETURN 1"]
    assert compose(compose(written)) == compose(written)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("WHERE x  // part: nothing(t)\n", "no part nothing"),
        ("WHERE x  // part: hot()\n", "hot needs t"),
        ("WHERE x  // part: hot(t, u)\n", "takes 1 arguments, not 2"),
        ("// part: thought_features(t, t, 1.0)\nRETURN 1\n", "no end"),
    ],
)
def test_an_invalid_mark_is_rejected(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        compose(text)
