"""How one setting is written in the table."""

from dataclasses import field
from typing import Any


def setting(section: str, default: Any, variable: str, help: str, *, secret: bool = False) -> Any:
    """A field of the table. A secret is left out of the settings' text."""
    # repr=False keeps secrets out of logs that print the settings.
    return field(
        default=default,
        repr=not secret,
        metadata={"section": section, "variable": variable, "help": help, "secret": secret},
    )
