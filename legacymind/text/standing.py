"""Recognises standing preferences and instructions: what a user asks for once and for all.

The rules are for English, as those of ``query_analysis``; of five other languages they know the plainest
forms. They rather miss a preference than take a statement of the moment for one.
"""

import re
from typing import Final

from legacymind.text.claims.values import WEEKDAYS
from legacymind.text.passages import CODE_FENCE

READ: Final = 4_000
"""Characters of a text that are read."""

_SHORT: Final = 600
"""A longer text is most likely an answer or a report: its "Always check …" is advice and no instruction."""

ANSWERING: Final = frozenset(("assistant", "ai", "agent", "bot", "model", "chatbot"))
"""Authors in lower case that answer the user; they have no preferences."""

_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")

_VERBS: Final = (
    "add|address|answer|append|apply|ask|assume|attach|avoid|back|begin|bring|call|capitali[sz]e|check|choose"
    "|cite|commit|compare|confirm|consider|convert|copy|create|delete|deploy|describe|display|do|double-check"
    "|draft|end|ensure|explain|express|finish|fix|follow|format|generate|give|greet|highlight|ignore|include"
    "|indent|keep|label|leave|let|link|list|log|maintain|make|mark|mention|merge|name|note|offer|omit|open"
    "|order|pick|prefer|prefix|print|prioriti[sz]e|propose|provide|push|put|quote|read|recommend|refer"
    "|remember|remind|remove|repeat|reply|respond|return|review|round|run|save|say|schedule|send|separate|set"
    "|share|shorten|show|sign|skip|speak|specify|spell|start|state|stick|store|suggest|summari[sz]e|take|talk"
    "|tell|test|translate|treat|try|use|validate|verify|wait|wrap|write"
)
_ASKS: Final = (
    r"I(?:'m| am)? (?:ever )?(?:ask|asking|mention|say|request|talk|want|need|send|paste|share|write)\b"
)
_WHEN: Final = "(?:when|whenever|if|every time|each time|any time)"
_ON: Final = "(?:from now on|from here on|henceforth)"
_YOU: Final = "you (?:should|must) "
_BEGIN: Final = r"^[\s>*•\"'“(-]*(?:(?:and|also|so|ok(?:ay)?|oh|please|pls|note|btw)\b[,:]? )*"
_NOT_ASKED: Final = (
    r"(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?<!\bshould )(?<!\bwould )(?<!\bcould )(?<!\bcan )(?<!\bmay )"
    r"(?<!\bif )(?<!\bwhether )(?<!\bwhat )(?<!\bwhich )(?<!\blike )(?<!\bas )(?<!\bwho )(?<!\bthan )"
)
"""Nothing before "I prefer" that makes it a question or an aside ("as I prefer")."""


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_INSTRUCTIONS: Final = _compiled(
    # "Always cite sources when I ask about history."
    rf"{_BEGIN}(?:always|never) \S.* {_WHEN} {_ASKS}",
    # "When I ask about history, cite sources."
    rf"{_BEGIN}{_WHEN} {_ASKS}[^,]*, (?:then )?"
    rf"(?:(?:please |{_YOU}|I(?:'d| would)? (?:want|like|expect) you to )(?:always |never )?\w+"
    rf"|(?:always|never|don't|do not) \w+|(?:{_VERBS})\b)",
    # "From now on, answer in German." Not: "From now on I'll be careful."
    rf"\b{_ON},? (?:please |always |never |{_YOU}|(?:{_VERBS})\b)",
    rf"{_BEGIN}(?:{_YOU})?(?:{_VERBS})\b.* {_ON}[.!]*$",
    rf"{_BEGIN}(?:going forward|in (?:the )?future),? (?:please|always|never|you\b|(?:{_VERBS})\b)",
    rf"\b(?:must|should|want you to|like you to) (?:always|never) (?:{_VERBS})\b",
    r"\bplease (?:always|never)\b",
    r"\bplease remember (?:to|that|this|my|I)\b",
    r"\bplease (?:keep in mind|bear in mind|be aware) that I\b",
    rf"{_BEGIN}remember (?:to always|to never"
    r"|that I (?:always |never )?(?:prefer|like|want|hate|need|use|am|don't)\b)",
    r"^\s*(?:[-*] )?(?:my |standing |user |general )*"
    r"(?:preference|rule|convention|instruction|policy)s?: \S",
    rf"{_BEGIN}(?-i:[Cc]all me [A-Z])",
)
"""Instructions; a question is none."""

_LASTING: Final = (
    r"(?!.*\b(?:yet|now|today|tonight|tomorrow|again|here|this|these|those|it|them|him|her|is|are|was|were"
    r"|says|worry|forget|mind|hesitate|bother|know|care|think|believe|be|have|need|mean|give up|let|stop|quit"
    r"|limit|yourself|(?:say|do) never)\b|.*\bthat[.!]*$)"
)
"""Nothing that ties a request to the moment, and no way of speaking ("don't worry")."""

_OBJECT: Final = r"(?!(?:the|an?|your|my|her|his|its|case|\d+)\b)"
_SOMEBODY: Final = (
    r"(?:(?:the |our )?user|he|she|they"
    r"|(?!it\b|this\b|that\b|nobody\b)(?-i:[A-Z][a-z]+)(?: (?-i:[A-Z][a-z]+))?)"
)
_FIRST: Final = r"^[\s>*•\"'-]*(?:please |(?:the )?user: )?"

_NOTES: Final = _compiled(
    # "Please don't use emojis in commit messages." "Do not deploy on Fridays."
    rf"{_FIRST}(?:(?:don't|do not|avoid)\b|(?:never|always) (?=(?:{_VERBS})\b)) ?(?:ever )?{_LASTING}\w+",
    # "Use British English." "Answer in French." "Keep commit messages short."
    rf"{_FIRST}(?:use|prefer|stick (?:to|with)) {_LASTING}{_OBJECT}(?:\S+ ?){{1,7}}$",
    rf"{_FIRST}(?:answer|reply|respond|write|speak)(?: \w+){{0,2}} (?:in|without) {_LASTING}{_OBJECT}"
    r"(?:\S+ ?){1,5}$",
    rf"{_FIRST}keep {_LASTING}(?:\w+ ){{1,4}}(?:short|brief|concise|simple|small|formal|informal)[.!]*$",
    # "Marit prefers metric units." "User told me to use pnpm." "The user wants answers without tables."
    rf"^{_SOMEBODY} (?:(?:always|never|really|strongly) )?(?:prefers|dislikes|hates|insists on) {_LASTING}",
    r"^(?:the )?user (?:(?:always|never) )?(?:likes|loves|wants|expects|does(?: not|n't) (?:like|want)) "
    rf"{_LASTING}{_OBJECT}",
    rf"^{_SOMEBODY} (?:has )?(?:told|asked|instructed|wants) (?:me|us|you) (?:never |always |not )?to "
    rf"{_LASTING}(?!\w+ (?:the|an?)\b)",
    r"^(?:the )?user (?:said|asked|requested)(?: that|:| for)? (?:to )?(?:never|always|no|not|only) "
    rf"{_LASTING}",
)
"""Texts of one sentence as agents note them: somebody's wishes, and requests without an object at hand."""

_NOTE: Final = 160
"""Characters of the longest of these."""

_OK: Final = (
    r"(?:explicit |prior |written )?(?:ok|okay|consent|permission|approval|sign-?off|go-?ahead|confirmation"
    r"|knowledge|say-so|agreement|review)\b"
)
_SOON: Final = r"(?!.*\b(?:now|today|tonight|tomorrow|yet|leave|go(?!-)|come)\b)"

_PERMISSIONS: Final = _compiled(
    # "Ask me before you merge." "Check with Ada first before deploying." "Wait for my go-ahead before …"
    rf"{_BEGIN}{_SOON}(?:you (?:must|should|have to|need to) |always )?"
    r"(?:(?:ask|warn|tell|notify|consult)(?: \w+){0,2}"
    r"|(?:check|confirm|talk|verify)(?: \w+)? with \w+|run \w+ (?:by|past) (?:me|us)"
    rf"|(?:get|wait for|ask for) (?:my|our) {_OK})(?: first)?,? before (?:you |we )?\w+",
    # "Before you delete files, ask me."
    rf"{_BEGIN}before (?:you |we )?\w+(?: \w+){{0,4}}, (?:please |always |first )?"
    r"(?:ask|tell|warn|notify|consult|(?:check|confirm) with) (?:me|us)\b",
    # "Never email clients without my OK." "Don't push unless I say so."
    rf"{_BEGIN}(?!.*\bworry\b)(?:don't|do not|never|make no|no|nothing|nobody|you (?:may|must|can) not) "
    rf"\S.* (?:without (?:asking|telling|consulting|checking with|(?:my|our) {_OK})"
    r"|unless (?:I|we) (?:say|ask|tell|approve|confirm|agree))\b",
    rf"{_BEGIN}\w+(?: \w+)? (?:needs?|requires?) (?:my|our) {_OK}",
)
"""What an agent must ask for first."""

_KIN: Final = (
    r"(?:my|our) (?:\w+ )?(?:son|daughter|wife|husband|partner|kids?|child|children|mother|father|mom|mum|dad"
    r"|brother|sister)"
)
_WHO: Final = rf"(?:\bI(?:'m| am| was always)|\b{_KIN} (?:is|are)|^{_SOMEBODY} is)"
_CONDITION: Final = (
    r"(?:vegan|vegetarian|pescatarian|teetotal|lactose[- ]intolerant|gluten[- ]intolerant|diabetic|celiac"
    r"|coeliac|(?:colou?r[- ]?)?blind|dyslexic|deaf|epileptic|asthmatic)"
)
_HEALTH: Final = _compiled(
    # "I'm allergic to penicillin." "The user is vegetarian." "I have a nut allergy."
    rf"{_NOT_ASKED}{_WHO} (?:\w+ly |very |also )?allergic to (?!any)\w",
    rf"{_NOT_ASKED}{_WHO} (?:an? |\w+ly |also )*{_CONDITION}(?=[,.;!]|$| (?:and|but|so|since|by|in)\b)",
    r"(?:\bI have|^(?:the )?user has) (?:an? )?(?:\w+ ){0,2}"
    r"(?:allergy|allergies|intolerance|diabetes|epilepsy|asthma|c(?:o)?eliac disease)\b",
    # "I can't eat gluten." "I don't drink alcohol." "Dairy makes me sick."
    r"\bI (?:can't|cannot|must not|don't|do not|never) (?:eat|drink|tolerate) (?!another\b|any more\b)"
    r"(?!.*\b(?:now|today|tonight|tomorrow|yet|this|that|it|alone|much)\b)\w",
    rf"{_BEGIN}(?!(?:this|that|the|it|he|she|they|all|what|my|your|his|her|nothing|everything)\b)"
    r"(?:\w+ ){1,2}(?:makes?|gives?) me (?:sick|ill|hives|migraines|a rash)[.!]*$",
    r"\bI (?:can't|cannot|must not) have (?!time\b|you\b)"
    r"[\w-]+(?=[,.;!]|$| (?:after|before|so|because|or|and)\b)",
    r"\bI get (?:hives|migraines|a rash|sick|headaches) from \w",
    r"\bI(?:'m| am) on an? [\w-]+(?: [\w-]+)? diet\b|\bI (?:keep|eat) (?:only )?(?:kosher|halal)\b",
    r"\bmy pronouns are\b",
)
"""What holds for a person's body, which no plan may overlook."""

_OF_ANSWERS: Final = (
    r"(?:(?:\w+ ){0,2}(?:answers|replies|introductions|bullet points|bullets|emojis?|tables|jargon|apologies"
    r"|disclaimers|summaries|explanations|comments|acronyms|units))\b"
)
_WISHES: Final = _compiled(
    rf"{_BEGIN}(?:stop|quit) (?!.*\b(?:now|today|this|that|it|these|those)\b)(?:using|adding|saying|writing"
    r"|calling|apologi[sz]ing|repeating|including|sending|explaining|suggesting|summari[sz]ing|thanking)\b",
    rf"{_BEGIN}no {_OF_ANSWERS},? ?(?:ever|please|at all)?[.!]*$",
    r"\bI (?:(?:always|never) (?:want|expect)|only (?:want|read|accept)) "
    r"(?!you\b|to (?:know|see|say|ask|tell|talk|hear|go)\b)(?!.*\b(?:this|that|it|again|today|now)\b)\w",
    rf"\bI (?:don't|do not) want you to (?:{_VERBS}|apologi[sz]e)\b(?!.*\b(?:this|that|it|now|today)\b)",
    rf"\bI (?:\w+ly )?(?:hate|dislike|detest|can't stand|cannot stand|love|like) {_OF_ANSWERS}",
    rf"\bI want (?:(?:all|every|each) (?:\w+ ){{1,3}}|your {_OF_ANSWERS} )(?:in|as|to be|with|without) \w",
    rf"{_BEGIN}keep (?:your |all |every )?{_OF_ANSWERS} \w",
    rf"{_BEGIN}address me (?:as|by|with|formally|informally)\b",
    rf"{_BEGIN}no [\w-]+(?: [\w-]+)? (?:on (?:{WEEKDAYS})s?|(?:on|at|over) (?:the )?weekends?|at night"
    r"|(?:before|after|past) \d)(?! (?:were|was|is|are)\b)",
    rf"\bI(?:'d| would) rather you (?:did not |didn't )?(?:{_VERBS})(?:e?d)?\b",
)
"""How somebody wants to be answered."""

_BARE: Final = re.compile(
    rf"{_BEGIN}(?:always|never|do not ever|don't ever) (?:{_VERBS})\b(?! (?:up|never)\b)", re.IGNORECASE
)
"""Instructions without a sign that they are addressed to somebody, in short texts only."""

_PREFERENCES: Final = _compiled(
    rf"{_NOT_ASKED}\bI (?:(?:always|really|generally|usually|strongly|personally|definitely|much|still|also"
    r"|just|tend to) )*prefer\b(?! not to (?:say|answer))",
    r"\bmy (?:strong |personal )?preference is\b|\bmy preferred \w+(?: \w+)? (?:is|are)\b",
    r"\buser (?:(?:always|never|strongly|generally|usually|explicitly) )?"
    r"(?:prefers|dislikes|insists on|wants (?:me|us|all|every|only|no)\b"
    r"|asked (?:me|us) (?:to always|to never|never to|always to)\b)",
)
"""Preferences, also in a sentence that ends in a question: "I prefer short answers, so can you …?"."""

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

_HINTS: Final = (
    "always|never|ever |prefer|from now on|from here on|henceforth|forward|future|remember|mind that"
    "|aware that|dislikes|insists|wants|when i|whenever i|if i|time i|rule|convention|instruction|polic"
    "|call me|before|without|unless|permission|approval|allergi|allergy|intoleran|diabet|epilep|asthma"
    "|eliac|t have |vegan|vegetarian|pescatarian|teetotal|blind|dyslexic|deaf|eat |drink |tolerate"
    "|me sick|me ill|me hives|me migraines|me a rash|i get |diet|kosher|halal|pronouns|stop |quit |no "
    "|only |want|keep |address me|hate |detest|stand |love |like |rather"
).split("|")
"""Every sentence that matches one of the patterns contains one of these."""


def _hinted(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


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
    short = len(text) <= _SHORT
    for found in _SENTENCE.finditer(text) if _hinted(text) else ():
        sentence = found[0].strip()
        if not _hinted(sentence):
            continue
        if any(pattern.search(sentence) for pattern in _PREFERENCES):
            return True
        if not sentence.endswith("?") and (
            any(pattern.search(sentence) for pattern in (*_INSTRUCTIONS, *_PERMISSIONS, *_HEALTH, *_WISHES))
            or (short and _BARE.search(sentence))
        ):
            return True
    note = " ".join(text.split()).rstrip(".!")
    alone = len(note) <= _NOTE and not note.endswith("?") and not re.search(r"[.!?] ", note)
    return alone and any(pattern.search(note) for pattern in _NOTES)
