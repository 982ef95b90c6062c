"""The forms of what a user asks for once and for all, as regular expressions by kind.

The kinds: what the user's health and diet exclude, what needs the user's consent, what is asked for always,
and wishes about what an assistant writes. The rules are for English, as those of ``query_analysis``. They
rather miss a preference than take a statement of the moment for one.
"""

import re
from typing import Final

WEEKDAYS: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_VERBS: Final = (
    "add|address|answer|apologi[sz]e|append|apply|ask|assume|attach|avoid|back|begin|bring|build|call"
    "|capitali[sz]e|check|choose|cite|commit|compare|confirm|consider|convert|copy|create|delete|deploy|describe|display"
    "|do|double-check|draft|end|ensure|explain|express|finish|fix|follow|format|generate|give|greet"
    "|highlight|ignore|include|indent|install|keep|label|leave|let|link|list|log|maintain|make|mark|mention"
    "|merge|name|note|offer|omit|open|order|pick|prefer|prefix|print|prioriti[sz]e|propose|provide|publish"
    "|push|put|quote|read|recommend|refer|remember|remind|remove|repeat|reply|respond|return|review|round"
    "|run|save|say|schedule|send|separate|set|share|shorten|show|sign|skip|speak|specify|spell|start|state"
    "|stick|store|suggest|summari[sz]e|take|talk|tell|test|translate|treat|try|update|upgrade|upload|use"
    "|validate|verify|wait|wrap|write"
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


_MINE: Final = (
    r"my (?:(?:explicit|prior|express|written|clear) )?(?:ok(?:ay)?|approval|permission|consent|sign-?off"
    r"|go-?ahead|say-so|confirmation|agreement|review|blessing|authori[sz]ation|green light)\b"
)
_I_ALLOW: Final = (
    r"I(?:'ve| have)? (?:(?:explicitly|first|clearly|personally) )?(?:say|said|tell|told|give|gave"
    r"|given|see|seen|ok(?:ay)?|(?:ask|approve|confirm|agree|sign|allow|request|review|check|authori[sz]e)"
    r"(?:e?d)?)\b"
)
_WHOM: Final = r"(?:me|us|(?-i:[A-Z])[a-z]+)\b"
_ASK_ME: Final = (
    rf"(?:(?:ask|consult|tell|inform|notify|warn|ping|alert) {_WHOM}|ask(?= before)|let (?:me|us) know\b"
    rf"|(?:check|confirm|clear|verify)(?: \w+){{0,2}} with {_WHOM}|(?:run|get|put) .+ (?:by|past) {_WHOM}"
    rf"|(?:get|obtain|(?:wait|ask) for|seek) {_MINE}|get .+ from me\b|show (?:me\b|(?:it|them) to me\b)"
    rf"|wait (?:for me|until {_I_ALLOW}))"
)
_ANY: Final = (
    r"(?:(?!\b(?:it|this|that|these|those|them|him|her|he|she|we|one|now|today|tonight|tomorrow|yet|again"
    r"|step"
    r"|leave|go|come|arrive|start|begin|continue)\b).)"
)
"""A character of what names nothing at hand: a permission for "this branch" is one of the moment."""

PERMISSIONS: Final = _compiled(
    # "Don't push to main unless I say so." "No force pushes without my approval."
    rf"{_BEGIN}(?:(?:you )?(?:never|(?:do|must|should|may|can) ?not|don't|mustn't|shouldn't|can't"
    rf"|(?:make )?no\b)|nothing|nobody|you(?:'re| are) not (?:allowed |permitted )?to)"
    rf"\b(?:{_ANY}+ (?:without (?:(?:first|ever) )?(?:{_MINE}|asking(?: first)?[.!]*$"
    rf"|(?:asking|telling|consulting|informing|notifying|warning|checking with) (?:{_WHOM}|the \w+))"
    rf"|unless {_I_ALLOW})"
    rf"|(?:(?!\bthe\b|\d){_ANY})+ (?:until|before) {_I_ALLOW})",
    # "Ask me before you merge." "Run every migration past me before you apply it."
    rf"{_BEGIN}(?:always |{_YOU})?{_ASK_ME}(?: first)?,? (?:before|prior to) {_ANY}+(?: it)?[.!]*$",
    rf"{_BEGIN}(?:before|prior to) {_ANY}+,? (?:always |please )?{_ASK_ME}",
    # "Anything that touches billing needs my sign-off." "You need my approval to spend money."
    rf"{_BEGIN}(?!(?:this|that|it|he|she|they|we|the|now)\b)\S.* (?:needs?|requires?|must have) {_MINE}",
    rf"{_BEGIN}I (?:need|have|want) to (?:approve|review|confirm|see|check) (?:every|any|all|each) ",
    rf"{_BEGIN}(?:you (?:may|can|must|should) )?only {_ANY}+ (?:(?:with|after) {_MINE}|(?:after|when|if|once)"
    rf" {_I_ALLOW})",
)
"""Actions that need the user's consent."""

_OWN: Final = (
    r"(?:answers?|replies|responses?|introductions|code|commit messages?|comments|summar(?:y|ies)"
    r"|explanations?|examples|emails|reports|lists|tables|bullet points|emojis?|jargon|headings|headers"
    r"|abbreviations|units|(?:\w+ )?spelling|dates|times|numbers|currencies|prices|docs|documentation"
    r"|docstrings|diagrams|charts|translations|exclamation marks|em.dashes|markdown|meetings|tests"
    r"|variable names|names|text|recipes|suggestions|recommendations|notifications|disclaimers"
    r"|apologies|pleasantries|flattery|small talk)"
)
"""What an assistant writes, and what is in it."""

_TREATS: Final = (
    r"(?:using|adding|writing|saying|telling me|asking me|calling|addressing|apologi[sz]ing|repeating"
    r"|summari[sz]ing|explaining|inserting|including|sending|giving|starting|ending|suggesting|recommending"
    r"|reminding|praising|translating|hedging|creating|generating|formatting|committing|pushing|deploying)"
)

_AILMENT: Final = r"(?:hives|rash(?:es)?|headaches?|migraines?|stomach \w+|heartburn|cramps),?"

_HOUSEHOLD: Final = r"(?:my|our) (?:\w+ )?(?:son|daughter|wife|husband|partner|kids?|child(?:ren)?)"

_CONDITION: Final = (
    r"(?:(?:also|very|an?|\w+ly) )*"
    r"(?:allergic to .+|on an? [\w-]+(?: [\w-]+)? diet|(?:\w+[ -])?intolerant|vegan|vegetarian|pescatarian"
    r"|diabetic|co?eliac|(?:\w+-)?blind|colou?r ?blind|dyslexic|epileptic|asthmatic|deaf"
    r"|hard of hearing|visually impaired|(?:gluten|dairy|lactose|nut|alcohol|sugar)-free|kosher|halal)"
    r"(?![-\w]| (?!and|but|so|since|because|too|in|on|with|myself|I)\w)"
)
_LIMITS: Final = (
    # "I'm allergic to penicillin." "I have a severe peanut allergy."
    rf"(?:I(?:'m| am)|user is|{_HOUSEHOLD} (?:is|are)) {_CONDITION}",
    r"(?:I (?:have|get|suffer from|break out in)|I've got|user has) (?:(?:an?|several|many|some|bad) )?"
    rf"(?:[\w-]+ ){{0,3}}?(?:allerg(?:y|ies)|intolerance|co?eliac disease|diabetes|asthma|epilepsy|dyslexia"
    rf"|colou?r[- ]?blindness|{_AILMENT} (?=from|when|if|after|so))\b"
    r"(?! (?:clinic|test|appointment|pill|med|season))",
    r"(?:I|user) (?:keeps?|(?:only )?eats?) (?:strictly )?(?:kosher|halal|vegan|vegetarian)\b",
    # "I can't eat gluten." "I don't drink alcohol."
    r"(?:I|user) (?:can't|can ?not|don't|do not|doesn't|does not|must not|mustn't|never|no longer"
    r"|(?:am|'m|is) not allowed to|shouldn't|should not) (?:eats?|drinks?|tolerates?|digest)"
    r" (?!(?:the|any|before|after|until|at|on|in|out|much|enough|well|because|when|while|if|and|or"
    r"|alone|another|breakfast|lunch|dinner|my|your|his|her|there|too)\b)"
    r"(?!.*\b(?:now|today|tonight|tomorrow|yet|it|this|that|these|those|them)\b)\w",
    r"(?:I|user) (?:can't|can ?not|must not) have (?!(?:time|you|breakfast|lunch|dinner|it|this|that)\b)"
    r"[\w-]+(?=[,.;!]|$| (?:after|because|so|or|and)\b)",
)
_SICKENS: Final = (
    r"(?!(?:this|that|it|the|he|she|they|my|your|his|her|these|those|what|which|who|everything|nothing)\b)"
    r"(?:\w+ ){1,3}(?:makes? me (?:really |very |feel )?(?:sick|ill|nauseous|vomit|throw up|swell|itch|sneeze"
    rf"|break out)|gives? me (?:an? |terrible |bad |horrible )*{_AILMENT})\b"
)

INSTRUCTIONS: Final = _compiled(
    # "Before every commit, run the linter." "Every time you finish a task, run the tests."
    rf"{_BEGIN}(?:(?:before|after) (?:every|each|any)\b|(?:in|for|with) (?:all|every|any) (?:\w+ )?{_OWN}\b"
    rf"|(?:whenever|every time|each time"
    rf"|any ?time) you\b)[^,]*, (?:please |{_YOU})?(?:(?:(?:always|never|don't|do not) )?(?:{_VERBS})\b)",
    rf"{_BEGIN}(?!remember\b)(?:{_VERBS})\b.* (?:before|after) (?:every|each) \w+",
    # "By default, write tests in pytest." "Use tabs by default."
    rf"{_BEGIN}(?:by default|as a rule|in general|generally),? (?:please |{_YOU})?"
    rf"(?:always|never|don't|do not|(?:{_VERBS})\b)",
    rf"{_BEGIN}(?:use|write|answer|reply|respond|speak|assume|format|prefer) {_ANY}+ by default[.!]*$",
    rf"{_BEGIN}address me \w",
    r"\bmy pronouns are \w",
    # "All my meetings should be after 10 am."
    rf"{_BEGIN}(?:all|every|each)(?: of)? (?:my|your) \w.* (?:should|must|has to|have to|needs? to) be\b",
    # "Always cite sources when I ask about history."
    rf"{_BEGIN}(?:always|never) \S.* {_WHEN} {_ASKS}",
    # "When I ask about history, cite sources."
    rf"{_BEGIN}{_WHEN} {_ASKS}[^,]*, (?:then )?"
    rf"(?:(?:please |{_YOU}|I(?:'d| would)? (?:want|like|expect) you to )(?:always |never )?\w+"
    rf"|(?:always|never|don't|do not) \w+|(?:{_VERBS})\b)",
    # "From now on, answer in German." Not: "From now on I'll be careful."
    rf"\b{_ON},? (?:please |always |never |(?:no|only) (?!one\b|longer\b)|{_YOU}|(?:{_VERBS})\b)",
    rf"(?:{_BEGIN}(?:{_YOU})?|\bI(?:'d| would) \w+ you (?:to )?)(?:{_VERBS})(?:e?d)?\b.* {_ON}[.!]*$",
    rf"{_BEGIN}(?:going forward|in (?:the )?future),? (?:please|always|never|you\b|(?:{_VERBS})\b)",
    rf"(?<!\bit )(?<!\bfunction )(?<!\bmethod )(?<!\bcode )\b(?:must|should|want you to|like you to)"
    rf" (?:always|never) (?:{_VERBS})\b",
    r"\bplease (?:always|never)\b(?!.*\bin this\b)",
    # "Every Monday morning, send me the calendar." "Under no circumstances share my address."
    rf"{_BEGIN}every (?:{WEEKDAYS}|day|week|month|morning|evening|night"
    rf"|year)\b[^,]*, (?:please )?(?:{_VERBS})\b",
    rf"{_BEGIN}(?:under no circumstances|at no time|on no account),? (?:should you |must you )?\w",
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

_NOT_AT_HAND: Final = (
    r"(?!.*\bfor this (?:release|task|time|version|one|sprint|file)\b|(?:this|that|these|those|it"
    r"|option \w)\b"
    r"|the (?:first|second|third|last|latest|other|left|right|new|old|one)\b)"
)
_OBJECT: Final = r"(?!(?:the|an?|your|my|her|his|its|case|\d+(?!-))\b)"
_SOMEBODY: Final = (
    r"(?:(?:the |our )?user|he|she|they"
    r"|(?!it\b|this\b|that\b|nobody\b)(?-i:[A-Z][a-z]+)(?: (?-i:[A-Z][a-z]+))?)"
)
_PERSON: Final = (
    r"(?:(?:the |our )?user|(?!(?:it|this|that|he|she|they|we|you|nobody|everybody|everyone|someone"
    r"|somebody|who"
    r"|what|there)\b)(?-i:[A-Z][a-z]+))"
)
_FIRST: Final = r"^[\s>*•\"'-]*(?:please |(?:the )?user: )?"

NOTES: Final = _compiled(
    # "Please don't use emojis in commit messages." "Do not deploy on Fridays."
    rf"{_FIRST}(?:(?:don't|do not|avoid)\b|(?:never|always) (?=(?:{_VERBS})\b)) ?(?:ever )?{_LASTING}\w+",
    # "Use British English." "Answer in French." "Keep commit messages short."
    rf"{_FIRST}(?:use|prefer|stick (?:to|with)) {_LASTING}{_OBJECT}(?:\S+ ?){{1,7}}$",
    rf"{_FIRST}(?:answer|reply|respond|write|speak)(?: (?!the\b|this\b)\w+){{0,2}} (?:in|without) {_LASTING}"
    rf"{_OBJECT}(?:\S+ ?){{1,5}}$",
    rf"{_FIRST}keep {_LASTING}(?:\w+ ){{1,4}}(?:short|brief|concise|simple|small|formal|informal)[.!]*$",
    # "Marit prefers metric units." "User told me to use pnpm." "The user wants answers without tables."
    rf"^{_SOMEBODY} (?:(?:always|never|really|strongly) )?(?:prefers|dislikes|hates|insists on) {_LASTING}"
    rf"{_NOT_AT_HAND}",
    # "Marit is allergic to nuts." "Marit doesn't drink alcohol." "Marit must not be given ibuprofen."
    rf"^{_PERSON} (?:is {_CONDITION}|has (?:an? )?(?:[\w-]+ ){{0,3}}(?:allergy|allergies|intolerance"
    rf"|diabetes)$"
    r"|(?:doesn't|does not|can't|can ?not|never) (?:eats?|drinks?|tolerates?) \w+(?: \w+)?$"
    rf"|must (?:not|never) be (?:given|served|called|sent|offered) {_LASTING}"
    rf"|only (?:takes|accepts|reads|wants|drinks|eats|answers) {_LASTING})",
    rf"^{_PERSON}'s preferred \w+(?: \w+)?(?: for \w+)? (?:is|are)\b",
    r"^(?:the )?user (?:(?:always|never) )?(?:likes|loves|wants|expects|does(?: not|n't) (?:like|want)) "
    rf"(?!to (?!be |get |have |receive )){_LASTING}{_OBJECT}",
    rf"^{_PERSON} (?:would like|wants|likes|prefers|expects|asked) to be (?:told|sent|given|kept|shown"
    rf"|\w+ed) "
    r"(?!.*\b(?:now|today|tonight|tomorrow|next|this)\b)",
    r"^(?:the )?user (?:expects|requires|wants|needs) .* before (?:any|every|each|all|\w+ (?:changes"
    r"|deployments"
    r"|commits|merges|releases))\b",
    # "Default to dark themes." "In general I favour functional style." "Be blunt with me."
    rf"{_FIRST}default to {_LASTING}\w|^(?:in general|generally|as a rule),? I (?:favou?r|like|use|want"
    rf"|avoid) ",
    rf"{_FIRST}be (?:more |less )?\w+ (?:with me\b|when you\b|in (?:your|all) {_OWN})",
    # "You may delete merged branches without asking me." "You have my permission to spend 20 euros a month."
    rf"{_FIRST}you (?:may|can) {_ANY}+ (?:without (?:asking|telling|consulting|my)|whenever you"
    r"|at any time)\b",
    rf"{_FIRST}you(?:'re| are) (?:allowed|free|permitted|welcome) to {_ANY}+"
    r" (?:without|whenever you|at any time)\b",
    # "Maria wants all dates in ISO format." "Lena would rather get a phone call than an email."
    rf"^{_PERSON} (?:always )?(?:wants|expects|likes) (?:(?:all|every|his|her|their|only) )?"
    rf"(?:(?!this|that|the\b|an?\b)\w+ )?{_OWN} "
    r"(?:in|as|to be|with|without|short|brief|\w+ed)\b(?!.*\b(?:now|today|tonight|tomorrow|by|this)\b)",
    rf"^{_PERSON} (?:would rather|always wants) (?!to\b){_LASTING}\w",
    r"^(?:the )?user (?:told|instructed|asked) (?:the agents?|the assistant|agents) (?:to )?"
    r"(?:never|always|not) \w",
    r"^(?:the )?user asked to (?:always|never) be \w+",
    rf"{_FIRST}keep (?:\w+ )?{_OWN} (?:under|below|within) (?!.*\b(?:now|today|this)\b)",
    rf"{_FIRST}you have {_MINE} to {_LASTING}",
    rf"^(?:the )?user (?:allows|permits|lets) (?:(?:me|us|you|the agent|agents|the assistant) (?:to )?)?"
    rf"{_LASTING}{_OBJECT}\w",
    rf"^{_SOMEBODY} (?:has )?(?:told|asked|instructed|wants) (?:me|us|you) (?:never |always |not )?to "
    rf"{_LASTING}(?!\w+ (?:the|an?)\b)",
    # "Please stop using emojis." "No more emojis please."
    rf"{_FIRST}(?:(?:stop|quit) {_TREATS}\b {_LASTING}{_OBJECT}|stop apologi[sz]ing(?!,)"
    rf"|no (?:more )?(?:\w+ )?{_OWN}(?:,? (?:please|ever)| in [\w ]+)*$)",
    # "No calls on Sundays."
    rf"{_FIRST}no [\w-]+(?: [\w-]+)? (?:on (?:{WEEKDAYS})s?|(?:on|at|over) (?:the )?weekends?|at night"
    r"|(?:before|after|past) \d)(?! (?:were|was|is|are)\b)",
    # "Dates should always be in ISO format." "Keep your answers under 100 words."
    rf"{_FIRST}(?:(?:all|my|your) )*(?:(?!the )\w+ )?{_OWN} (?:should|must) (?:(?:always|never|only|not) )?"
    r"(?:be|use|have|contain|include)\b(?!.*\b(?:by|now|today|tonight|tomorrow|this|these)\b)",
    rf"{_FIRST}keep (?:all )?(?:my|your) (?:\w+ )?{_OWN} {_LASTING}",
    # "You don't need to explain basic Python to me." "I don't want you to add comments to my code."
    rf"{_FIRST}I(?:(?: (?:don't|do not|never))? (?:want|like|expect)|(?:'d| would)(?: \w+)?)(?: it if)? you "
    rf"(?:not )?(?:to )?(?:{_VERBS}|(?:{_VERBS})(?:e?d)|kept|wrote|gave|told|did not|didn't)"
    rf"\b {_LASTING}{_OBJECT}",
    rf"{_FIRST}(?:there is no need|you (?:don't|do not) (?:need|have)|no need) to (?!say\b)(?:{_VERBS}) "
    rf"{_LASTING}{_OBJECT}",
    # "I like my answers short." "I want all dates in ISO format." "I hate bullet points."
    rf"{_FIRST}I(?:'d| would)? (?:want|like|love|need|expect|prefer) (?:(?:my|your|all|all my|every|only) )?"
    rf"(?:(?!(?:this|that|these|those|the|an?|one)\b)\w+ )?{_OWN} (?:short|brief|concise|simple|formal"
    r"|informal|\w+ed|detailed|long|plain|in|as|with|without|to (?:be|have)|after|before)\b"
    r"(?!.*\b(?:for the|now|today|tonight|tomorrow|by)\b)",
    rf"{_FIRST}I (?:(?:really|absolutely|strongly) )?(?:hate|dislike|can't stand|don't (?:like|want)|do not"
    rf" (?:like|want)|love) (?:(?!the |this |that |these |those |your )\w+ )?{_OWN}"
    rf"(?: in (?:my |your )?[\w ]+)?(?:$|;)",
    r"^(?:the )?user (?:said|asked|requested)(?: that|:| for)? (?:to )?(?:never|always|no|not|only) "
    rf"{_LASTING}",
)
"""Texts of one sentence as agents note them: somebody's wishes, and requests without an object at hand."""

BARE: Final = re.compile(
    rf"{_BEGIN}(?:always|never|do not ever|don't ever) (?:{_VERBS})\b(?! (?:up|never)\b)", re.IGNORECASE
)
"""Instructions without a sign that they are addressed to somebody, in short texts only."""

PREFERENCES: Final = _compiled(
    rf"{_NOT_ASKED}\bI (?:(?:always|really|generally|usually|strongly|personally|definitely|much|still|also"
    rf"|just|tend to) )*prefer\b(?! not to (?:say|answer))(?:(?! )| {_NOT_AT_HAND})",
    rf"{_NOT_ASKED}\bI (?:always|only|never) (?:want|like|expect) "
    r"(?!(?:to(?! be \w+ed\b)|you|the(?! \w+ (?:next|in|as|at|on)\b)|this|that|it|him|her)\b)",
    rf"{_BEGIN}I (?:usually|generally|normally) (?:want|like|need) (?!to\b){_NOT_AT_HAND}\w",
    *(rf"(?<!\bif )(?<!\bwhether )(?<!\bthink )(?<!\bpretend )\b{limit}" for limit in _LIMITS),
    rf"{_BEGIN}{_SICKENS}",
    r"\bmy (?:strong |personal )?preference is\b|\bmy preferred \w+(?: \w+)? (?:is|are)\b",
    r"\buser (?:(?:always|never|strongly|generally|usually|explicitly) )?"
    rf"(?:(?:prefers|dislikes|insists on) {_NOT_AT_HAND}|wants (?:me|us|all|every|only|no)\b"
    r"|asked (?:me|us) (?:to always|to never|never to|always to)\b)",
    rf"{_BEGIN}for (?:future|your) reference[,:] (?:my|I|we|please)\b",
)
"""Preferences, also in a sentence that ends in a question: "I prefer short answers, so can you …?"."""
