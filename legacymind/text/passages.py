"""Text of a thought, an entity or an observation as the embedder receives it."""

import re
import unicodedata
from typing import Final

CODE_FENCE: Final = re.compile(
    # A fence may be indented, as in a list, or quoted. An unclosed fence counts as prose: no text is lost.
    r"^[ \t>]*(`{3,}|~{3,})[^`\n]*$.*?^[ \t>]*\1[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
"""A fenced code block in Markdown."""

_SPACE = re.compile(r"\s+")


def for_embedding(content: str, *, technical: bool) -> str:
    """A thought's text for the embedder: no control characters, single spaces, code only if ``technical``.

    Case is kept because models differ in how they treat it. Returns ``content`` itself if nothing remains.
    """
    text = content if technical else CODE_FENCE.sub(" ", content)
    text = "".join(
        " " if character in "\n\t\r" else character
        for character in text
        if character in "\n\t\r" or unicodedata.category(character) != "Cc"
    )
    return _SPACE.sub(" ", text).strip() or content


def of_entity(name: str, entity_type: str, description: str | None) -> str:
    """An entity's text for the embedder, which is also how it is shown: ``name (type) - description``."""
    typed = f"{name} ({entity_type})" if entity_type else name
    return f"{typed} - {description}" if description else typed


def of_fact(entity: str, content: str) -> str:
    """An observation's text for the embedder: the name of its entity, if it has one, then its content."""
    return f"{entity}: {content}" if entity else content
