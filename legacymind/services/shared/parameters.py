"""Parameters that operations of several services share, with their descriptions."""

from typing import Annotated, Final

from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.values import Moment

DEFAULT_NAMESPACE: Final = "Default: the setting `namespace`."

Namespace = Annotated[
    str | None,
    about("Separate memory", f"Namespace, apart from all others. {DEFAULT_NAMESPACE}"),
]
AsOf = Annotated[
    Moment | None,
    about(
        "As known at ISO time",
        "ISO 8601 time to read as of: facts and relations that were true then, and no later thoughts",
        tuning=True,
    ),
]
ThoughtId = Annotated[Id, about("Thought id", "Id of the thought, with or without the prefix `thoughts:`")]
Explain = Annotated[bool, about("Show score parts", "Show for each hit the parts of its score", tuning=True)]
VerboseAnalysis = Annotated[
    bool,
    about(
        "Scores, hashes, thresholds",
        "Show all details: parts of scores, hashes, thresholds, models, empty members",
        tuning=True,
    ),
]
