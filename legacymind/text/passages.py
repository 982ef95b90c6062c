"""Text of a thought, an entity or an observation as the embedder receives it."""

import unicodedata


def for_embedding(content: str, *, technical: bool) -> str:
    """A thought's text for the embedder: no control characters, single spaces, code only if ``technical``.

    Case is kept because models differ in how they treat it. Returns ``content`` itself if nothing remains.
    """
    text = content if technical else without_code(content)
    text = "".join(
        " " if character in "\n\t\r" else character
        for character in text
        if character in "\n\t\r" or unicodedata.category(character) != "Cc"
    )
    return " ".join(text.split()) or content


def of_entity(name: str, entity_type: str, description: str | None) -> str:
    """An entity's text for the embedder, which is also how it is shown: ``name (type) - description``."""
    typed = f"{name} ({entity_type})" if entity_type else name
    return f"{typed} - {description}" if description else typed


def of_fact(entity: str, content: str) -> str:
    """An observation's text for the embedder: the name of its entity, if it has one, then its content."""
    return f"{entity}: {content}" if entity else content


def without_code(content: str, *, unclosed: bool = False) -> str:
    """A text without fenced code blocks, which may be indented or quoted.

    One without an end counts as prose, so that no text is lost, unless ``unclosed``.
    """
    kept: list[str] = []
    fence, start = "", 0
    for line in content.split("\n"):
        bare = line.lstrip(" \t>")
        if fence:
            if bare.startswith(fence):
                kept[start:], fence = [" "], ""
                continue
        elif bare.startswith(("```", "~~~")):
            rest = bare.lstrip(bare[0])
            if "`" not in rest:
                fence, start = bare[: len(bare) - len(rest)], len(kept)
        kept.append(line)
    return "\n".join(kept[:start] if fence and unclosed else kept)
