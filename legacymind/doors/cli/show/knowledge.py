"""Output of the commands for knowledge, and of `show`: nodes in full, facts and relations."""

from rich.text import Text

from legacymind.doors.answer import jsonable
from legacymind.doors.cli.output import console, message
from legacymind.doors.cli.show.parts import KINDS, body, end, set_fields
from legacymind.model.base import ALWAYS
from legacymind.model.nodes import EntityRelation, EntityResult, Fact, ForgetResult, NodeResult
from legacymind.text.numbers import counted


@body.register
def _(value: NodeResult) -> None:
    line = Text(f"{value.kind} ", style=KINDS[value.kind])
    console.print(line.append(value.id, style="bold"), soft_wrap=True)
    message(value.text or ("(redacted)" if value.thought and value.thought.redacted_at else "(no text)"))
    if value.next is not None:
        console.print(
            f"[dim]{len(value.text)} of {value.length} characters; more with --after {value.next}[/]"
        )
    details = value.thought or value.observation or value.entity
    marks = {
        "revised_by": value.revised_by,
        "contradicted_by": value.contradicted_by,
        "solved_by": value.solved_by,
        "outside_chain": value.outside_chain,
    }
    set_fields(marks | jsonable(details))


@body.register
def _(value: EntityResult) -> None:
    entity = value.entity
    line = Text(entity.name, style="bold green")
    console.print(line.append(f"  {entity.entity_type}".rstrip(), style="dim"), soft_wrap=True)
    if entity.description:
        message(entity.description)
    set_fields(
        {
            name: each
            for name, each in jsonable(entity).items()
            if name not in ("name", "entity_type", "description")
            and not (name == "valid_from" and entity.valid_from == ALWAYS)
        }
    )
    for fact in value.observations:
        _valid(fact.content, "yellow", fact)
    for relation in value.relations:
        other = relation.other.name
        arrow = (
            f"-{relation.type}-> {other}" if relation.direction == "out" else f"<-{relation.type}- {other}"
        )
        own = ", ".join(f"{name}: {held}" for name, held in relation.properties.items())
        _valid(f"{arrow}  ({own})" if own else arrow, "cyan", relation)
    counts = f"{counted(value.observation_count, 'fact')}, {counted(value.relation_count, 'relation')}"
    end(f"{counts} at {value.as_of:%Y-%m-%d %H:%M}", value)


@body.register
def _(value: ForgetResult) -> None:
    for one in value.counts:
        gone = "forgotten" if value.done else "would be forgotten"
        message(f"{counted(one.count, one.kind)} {gone}{f', SHA-256 {one.sha256}' if one.sha256 else ''}")
        for example in one.examples:
            console.print(Text(f"  {example}", style="dim"), soft_wrap=True)
    if not value.counts:
        message("nothing to forget" if not value.done else "nothing is left to forget")
    for text in value.stays:
        message(f"stays: {text}")
    for place in value.remains:
        message(f"remains in {place.where}: {place.until}")


def _valid(text: str, style: str, item: Fact | EntityRelation) -> None:
    """Print a fact or relation, and the days from which and until which it is true."""
    console.print(Text(f"  {text}", style=style), soft_wrap=True)
    since = "always" if item.valid_from in (None, ALWAYS) else f"from {item.valid_from:%Y-%m-%d}"
    until = "" if item.valid_to is None else f" to {item.valid_to:%Y-%m-%d}"
    source = "" if item.source is None else f", source {item.source}"
    console.print(
        Text(f"      {item.said_by}, {since}{until}{source}  {item.id or ''}".rstrip(), style="dim"),
        soft_wrap=True,
    )
