"""Recognises standing preferences and instructions: what a user asks for once and for all.

English is known by the forms of ``standing_forms``; of five other languages the plainest forms.
"""

import re
from typing import Final

from legacymind.text.passages import CODE_FENCE
from legacymind.text.standing_forms import BARE, INSTRUCTIONS, NOTES, PERMISSIONS, PREFERENCES

READ: Final = 4_000
"""Characters of a text that are read."""

_SHORT: Final = 600
"""A longer text is most likely an answer or a report: its "Always check …" is advice and no instruction."""

ANSWERING: Final = frozenset(("assistant", "ai", "agent", "bot", "model", "chatbot"))
"""Authors in lower case that answer the user; they have no preferences."""

_NOTE: Final = 160
"""Characters of the longest text that is read as a note of one sentence."""

_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")

_FOREIGN: Final = re.compile(
    r"^(?:bitte )?(?:immer|nie|niemals) .|\bich (?:\w+ )?bevorzuge\b"
    r"|\b(?:ab jetzt|von (?:nun|jetzt) an|ab sofort) \w+e\b"
    r"|\bje (?:\w+ )?préfère\b|^(?:désormais|dorénavant|à partir de maintenant)\b|^(?:toujours|jamais) ."
    r"|\b(?:yo )?prefiero (?!no\b)|^(?:a partir de ahora|de ahora en adelante)\b|^(?:siempre|nunca) ."
    r"|(?:今後は|これからは|必ず|常に|絶対に).*(?:ください|下さい|こと)|(?:のほう|方)が好き(?:です|だ)"
    r"|(?:以后|今后|从现在(?:起|开始)).*(?:请|都|不要|别|用)|请(?:总是|始终|一直|永远)|(?:永远|千万)不要"
    r"|我(?:更喜欢|偏好)",
    re.IGNORECASE,
)
"""German, French, Spanish, Japanese and Chinese."""

_TITLE: Final = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\.")
_REPORTED: Final = re.compile(
    r", (?:said|says|(?:my|the|a|he|she|(?-i:[A-Z])\w+) (?:\w+ ){0,4}(?:said|says|say))\b", re.IGNORECASE
)
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|[“„][^”“\n]*[”“]|«[^»\n]*»")


def is_standing(content: str, author: str | None = None) -> bool:
    """Whether a text states a standing preference or instruction, such as "Always answer in German".

    Code does not count, nor what an assistant answers.
    """
    if author is not None and author.lower() in ANSWERING:
        return False
    beginning = content[:READ]
    foreign = len(content) <= _SHORT and _FOREIGN.search(content.strip())
    if foreign and not content.rstrip().endswith(("?", "？")):
        return True
    text = CODE_FENCE.sub(" ", beginning).replace("’", "'")
    text = _TITLE.sub(r"\1", text)
    told = _QUOTED.sub(" ", text)  # another's words, unless they are the whole text
    text = told if re.search(r"\w", told) else text
    short = len(text) <= _SHORT
    for found in _SENTENCE.finditer(text):
        sentence = found[0].strip()
        if _REPORTED.search(sentence):
            continue
        if any(pattern.search(sentence) for pattern in PREFERENCES):
            return True
        if not sentence.endswith("?") and (
            any(pattern.search(sentence) for pattern in (*PERMISSIONS, *INSTRUCTIONS))
            or (short and BARE.search(sentence))
        ):
            return True
    note = " ".join(text.split()).rstrip(".!")
    alone = (
        len(note) <= _NOTE
        and not note.endswith("?")
        and not _REPORTED.search(note)
        and not re.search(r"[.!?] ", note)
    )
    return alone and any(pattern.search(note) for pattern in NOTES)
