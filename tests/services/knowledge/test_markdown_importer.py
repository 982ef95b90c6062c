"""The reader of Markdown notes: entities, observations with their headings, and links as relations."""

from collections.abc import Sequence
from typing import Any

import pytest

from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.services.knowledge.importers import markdown
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    SourceFile,
    Warned,
    as_text,
)
from tests.services.knowledge.lines import lined


def vault(**notes: str | bytes) -> list[tuple[LineNumber, Any]]:
    """What a folder of notes is read as; __ in a name stands for a slash."""
    files = {name.replace("__", "/") + ".md": text for name, text in notes.items()}
    sources = [SourceFile(path.rpartition("/")[2], [as_text(text)], path) for path, text in files.items()]
    return [(place, lined(one)) for place, one in markdown.read(sources)]


def contents(found: Sequence[tuple[LineNumber, Any]]) -> list[tuple[int, str]]:
    return [(place.line, one.content) for place, one in found if isinstance(one, ObservationInput)]


def relations(found: Sequence[tuple[LineNumber, Any]]) -> list[tuple[str, str, str]]:
    """Source, type and target of each relation, with the target's type if it is a note."""
    return [
        (
            one.source_entity,
            one.type,
            one.target_entity + (f" ({one.target_type})" if one.target_type else ""),
        )
        for _, one in found
        if isinstance(one, RelationInput)
    ]


BLOCKS = """---
title: Ada
type: person
born: 1815-12-10
---
# Ada

A paragraph
of two lines.

## Allergies
- Nuts
  - peanuts
1. Cats ^block-1
- [ ] ask `[[no link]]`

> quoted

| a | b |
|---|---|
| 1 | 2 |

```py
[[no link]]
```
## Observations
- [tech] Writes programs #work (early)
"""


def test_each_block_is_an_observation_with_the_heading_above_it_and_its_line() -> None:
    found = vault(people__a=BLOCKS)
    assert contents(found) == [
        (8, "A paragraph\nof two lines."),
        (12, "Allergies: Nuts\n- peanuts"),
        (14, "Allergies: Cats"),
        (15, "Allergies: [ ] ask `[[no link]]`"),
        (17, "Allergies: > quoted"),
        (19, "Allergies: | a | b |\n|---|---|\n| 1 | 2 |"),
        (23, "Allergies: ```py\n[[no link]]\n```"),
        (27, "[tech] Writes programs #work (early)"),
    ]
    assert relations(found) == []
    entity = found[0][1]
    assert isinstance(entity, EntityInput)
    assert (entity.name, entity.entity_type) == ("Ada", "person")
    assert entity.data == {"born": "1815-12-10", "file": "people/a.md"}


LINKS = """---
owner: "[[Ada]]"
uses: ["[[Engine|the engine]]", plain]
part_of: [[Works]]
---
- relates_to [[Ada]] (since 1843)
- "was built by" [[people/babbage#Life]]
- see [[Engine]] and [[Mill]] today
- ![[drawing.png]]

Text about [[Ada]], [[Ada]] again, [the mill](Mill%20wheel.md) and [[#Here]] [[Notes]].
"""


def test_links_are_relations_to_the_notes_that_they_name() -> None:
    found = vault(
        Notes=LINKS,
        people__ada="---\naliases: [Ada, Countess]\ntype: person\n---\n",
        people__babbage="---\ntitle: Charles Babbage\ntype: person\n---\n[[ada]] and [home](../Notes.md).\n",
        engine="---\npermalink: machines/engine\ntitle: Engine\n---\n[[machines/engine]] [[babbage]]\n",
    )
    assert relations(found) == [
        ("Notes", "owner", "ada (person)"),
        ("Notes", "uses", "Engine (note)"),
        ("Notes", "part_of", "Works"),
        ("Notes", "relates_to", "ada (person)"),
        ("Notes", "was built by", "Charles Babbage (person)"),
        ("Notes", "LINKS_TO", "Engine (note)"),
        ("Notes", "LINKS_TO", "Mill"),
        ("Notes", "LINKS_TO", "ada (person)"),
        ("Notes", "LINKS_TO", "Mill wheel"),
        ("Charles Babbage", "LINKS_TO", "ada (person)"),
        ("Charles Babbage", "LINKS_TO", "Notes (note)"),
        ("Engine", "LINKS_TO", "Charles Babbage (person)"),
    ]
    assert (6, "relates_to [[Ada]] (since 1843)") not in contents(found)  # a relation, no fact


def test_notes_of_one_title_are_named_by_their_paths() -> None:
    found = vault(a__README="One. [[b/README]]", b__README="Two.", c="")
    assert [one.name for _, one in found if isinstance(one, EntityInput)] == ["a/README", "b/README", "c"]
    assert relations(found) == [("a/README", "LINKS_TO", "b/README (note)")]


@pytest.mark.parametrize(
    "front",
    [
        *("title: Appendix 01: Conventions", "created: {{date}}", "tags:\n\t- a", "x: [", "- a"),
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
        f"a: {'[' * 21}{']' * 21}",
    ],
)
def test_a_front_matter_that_cannot_be_read_costs_only_itself(front: str) -> None:
    found = vault(a=f"---\n{front}\n---\nKept.")
    assert [type(one) for _, one in found] == [Warned, EntityInput, ObservationInput]
    assert str(found[0][1]).startswith("its front matter ")
    assert contents(found)[0][1] == "Kept."


def test_a_note_with_an_unforeseen_error_is_named_and_the_others_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(text: str, before: int) -> Any:
        return blocks(text, before) if "Kept." in text else 1 // 0

    blocks = markdown.blocks
    monkeypatch.setattr(markdown, "blocks", broken)
    found = vault(a="Lost.", b="Kept.", c="---\naliases: [{d: e}]\n---\nKept. [[b]]")
    faults = [(str(place), str(one)) for place, one in found if isinstance(one, Fault)]
    assert [place for place, _ in faults] == ["a.md, line 1"]
    assert "was not read (ZeroDivisionError" in faults[0][1]
    assert [text for _, text in contents(found)] == ["Kept.", "Kept. [[b]]"]
    assert relations(found) == [("c", "LINKS_TO", "b (note)")]


def test_a_note_that_is_not_utf_8_is_reported() -> None:
    found = vault(b=b"\xff", d="---\nno end")
    faults = [(str(place), str(one)) for place, one in found if isinstance(one, Fault | Warned)]
    assert faults == [("b.md, line 1", "the file is not UTF-8")]
