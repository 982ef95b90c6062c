"""Characters that control what displays a text: the cursor of a terminal, or the direction of writing."""

from typing import Final

CONTROLS: Final = frozenset(
    map(
        chr,
        (
            *range(0x20),
            *range(0x7F, 0xA0),
            *(0x061C, 0x200E, 0x200F),  # marks of direction
            *range(0x202A, 0x202F),  # embeddings and overrides of direction
            *range(0x2066, 0x206A),  # isolates of direction
        ),
    )
)
"""The control characters of Unicode (Cc), and those of its bidirectional algorithm.

The second kind makes a text look like another one: "\\u202egpj.exe" is shown as "exe.jpg".
"""

_SHOWN: Final = str.maketrans(dict.fromkeys(CONTROLS - {"\n", "\t"}, "\N{REPLACEMENT CHARACTER}"))
_ESCAPED: Final = str.maketrans({each: f"\\u{ord(each):04x}" for each in CONTROLS if each >= "\x7f"})


def has_controls(text: str) -> bool:
    """Whether a text has a control character."""
    return not CONTROLS.isdisjoint(text)


def visible(text: str) -> str:
    """The text for a terminal: control characters but line breaks and tabs are replaced by U+FFFD."""
    return text.translate(_SHOWN)


def escaped(json: str) -> str:
    """The same JSON with escapes for control characters that JSON allows as they are."""
    return json.translate(_ESCAPED)
