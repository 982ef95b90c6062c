"""How many pinned thoughts a context shows, and what it says about those that it does not."""

from typing import Final

MOST_PINNED: Final = 20
"""The most pinned thoughts of a context, the newest: each takes tokens from every context."""

TOO_MANY: Final = (
    f"More than {MOST_PINNED} thoughts are pinned, and contexts have the newest {MOST_PINNED} only: unpin "
    "some."
)
"""The warning of a context, and of a pin, that exceeds the limit."""

NO_ROOM: Final = "Not all pinned thoughts fit in the token budget: raise max_tokens, or unpin some."
"""The warning of a context whose token budget is too small for its pinned thoughts."""
