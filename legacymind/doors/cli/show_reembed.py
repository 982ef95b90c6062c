"""Output of `reembed`."""

from legacymind.doors.cli.output import message
from legacymind.doors.cli.show import result
from legacymind.model.reembed import ModelComparison, Reembedding
from legacymind.text.numbers import counted


@result.register
def reembedding(value: Reembedding) -> None:
    """Print the state of a change of the embedding model, and what to do next."""
    if value.embedded or value.refused:
        message(f"Embedded {counted(value.embedded, 'text')}; the embedder refused {value.refused:,}.")
    if value.comparison is not None:
        _comparison(value.comparison, value.active, value.other)
    message(f"The database searches with {value.active or 'no model yet'}.")
    if value.waiting:
        message(f"{counted(value.waiting, 'text')} without a vector are found by their words only.")
    lacking = counted(value.waiting_in_other, "text")
    match value.state:
        case "none":
            message("It holds the vectors of one model only.")
        case "filling":
            message(f"Vectors of {value.other} are being made. {lacking} to embed: `legacymind reembed run`.")
        case "ready":
            message(f"The vectors of {value.other} are ready: `legacymind reembed compare`, then `switch`.")
        case "switched":
            until = "" if value.drop_after is None else f" until {value.drop_after:%Y-%m-%d %H:%M} UTC"
            message(
                f"The vectors of {value.other} are kept{until}: `legacymind reembed roll_back` or `drop`."
            )
        case "dropping":
            message("The removal of old vectors was interrupted: `legacymind reembed drop` continues it.")


def _comparison(value: ModelComparison, active: str | None, other: str | None) -> None:
    if value.overlap is None:
        message("No stored text has vectors of both models yet.")
    else:
        message(
            f"Overlap@{value.k}: both models find {value.overlap:.0%} of the same nodes near "
            f"{counted(value.samples, 'stored text')}."
        )
    if value.questions_left_out:
        message(
            f"Left out {counted(value.questions_left_out, 'question')} with evidence that does not have the "
            "vectors of both models. `legacymind reembed run` makes those of stored texts."
        )
    if value.questions:
        for model, recall in ((active, value.recall_active), (other, value.recall_other)):
            shown = "not measured: the settings lead to another model" if recall is None else f"{recall:.1%}"
            message(f"Recall@{value.k} of {counted(value.questions, 'question')} with {model}: {shown}.")
