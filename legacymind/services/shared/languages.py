"""Says when a text is not in the language of the embedding model, and what to do about it."""

import re
from typing import Final

from legacymind.embed import presets
from legacymind.embed.base import EmbedderInfo

_READ: Final = 1_000
"""Characters of a text that are read."""

_SCRIPTS: Final = {
    "Chinese": r"[\u3040-\u30ff\u3400-\u9fff]",
    "Korean": r"[\uac00-\ud7af]",
    "Arabic": r"[\u0600-\u06ff]",
    "Russian": r"[\u0400-\u04ff]",
    "Greek": r"[\u0370-\u03ff]",
    "Hebrew": r"[\u0590-\u05ff]",
    "Hindi": r"[\u0900-\u097f]",
    "Thai": r"[\u0e00-\u0e7f]",
}
_KANA: Final = re.compile(r"[\u3040-\u30ff]")

_ENGLISH: Final = frozenset(
    "the and is of to in that it for was on with as are this be at have not we you by from but i a an".split()
)
_FUNCTION_WORDS: Final = {
    "German": "der die das und ist nicht ein eine einen mit für auf den von zu wir ich es im dem auch sich"
    " war wird sind noch nach bei habe haben hat bin wie was wo wer warum mein meine kein keine wenn dass"
    " aber oder heute morgen gestern unser unsere wurde muss kann nur wir bis statt",
    "French": "le la les des est une dans pour que qui pas sur avec nous je il et un du au ce sont elle vous",
    "Spanish": "el la los las que una para con por del está pero como más es un en se lo al no mi son y tengo"
    " tiene hay muy cuando donde qué quiero fue este esta hoy ayer mañana su sus porque nos me hemos he ha",
    "Italian": "il la gli che una per con non del della sono è un di lo nel più ma anche ho e le si",
    "Portuguese": "o os as que uma para com não por do da dos é um em no na mais mas eu foi e se",
    "Dutch": "het een de en van is niet op met voor zijn ik te dat die we aan ook er naar bij",
    "Polish": "nie jest na się że z do w i to jak ale po dla przez są od już",
    "Turkish": "bir ve bu için ile çok da de ne ama gibi daha var olarak değil",
}
_WORDS: Final = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_LEAST: Final = 2
_LEAST_SHARE: Final = 0.2
"""Function words of a language, and their share of all words, that make it the language of a text."""


def language(text: str) -> str | None:
    """The language of a text that is most likely not English; None if it may be, or if nothing tells.

    A script used by several languages has the name of the largest.
    """
    text = text[:_READ]
    letters = re.findall(r"[^\W\d_]", text)
    for name, script in _SCRIPTS.items():
        if 2 * len(re.findall(script, text)) > len(letters):
            return "Japanese" if _KANA.search(text) else name
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = sum(word in _ENGLISH for word in words)
    count, name = max((sum(word in own for word in words), name) for name, own in _WORDS.items())
    enough = count >= _LEAST and count > 2 * english and count >= _LEAST_SHARE * len(words)
    return name if enough else None


def hint(text: str, model: EmbedderInfo) -> str | None:
    """What to do if a text is not English and the model knows only English; else None."""
    if not presets.is_english(model.model) or (found := language(text)) is None:
        return None
    return (
        f"The text seems to be {found}, and the embedding model {model.model} knows only English: its words "
        "are found, its meaning hardly. LEGACYMIND_EMBEDDING_PROVIDER=use knows 16 languages "
        "(docs/operation/embeddings.md)."
    )
