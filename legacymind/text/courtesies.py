"""Courtesies: sentences that greet, thank, praise or comfort, and say nothing else."""

import re
from collections.abc import Collection
from typing import Final

_WORDS: Final = frozenset(
    """a about absolutely adorable again ages agree agreed ah all alright also always am amazing an and any
    anything anytime appreciate appreciated appreciates are around as at aw awesome aww be beautiful
    because been being believe best better bit bless brilliant but by bye can cheering cheers completely
    congrats congratulations cool could crossed cute dear definitely delicious delighted deserve did do
    doing easy else encourage encouragement encouraging enjoy enjoyed er every everyone everything exactly
    excellent excited exciting fab fabulous fantastic fine folks for forever forward from fun glad god
    going good goodbye goodness goodnight gorgeous grateful great ha haha happy have having hear hearing
    heartwarming heck hehe hello help helpful helping here hey hi hm hmm hooray hope hoping how how's huge
    hurray if impressive in incredible incredibly indeed inspiration inspire inspired inspires inspiring
    interesting is isn't it it'd it'll it's just keep kidding kind kinda know later let let's like
    likewise listening little lol look looking looks lot lots love loved lovely loves lucky maybe me mean
    means meant mhm mm more motivate motivated motivates motivating motivation much must neat nice nicely
    no nope now of off oh ok okay okie on oo oof ooh or other perfect perfectly please pleased pleasure
    plenty pretty probably proud quite really relatable relax right rock rocks rooting same say see seeing
    seen seriously share shared sharing should shout sincerely smile so some something soon sorry sound
    sounded sounding sounds special strong stunning such super supporting supportive sure surely sweet
    take talk talking tell than thank thankful thanks that that'd that'll that's their them then there
    these they're thing things think this those thoughts through thx to too totally touching true truly
    try u uh um understand understandable up us very was way welcome well what what's whatever when
    whenever whoa whole why will wish wishes wishing with woah wonderful woohoo words worry worth would
    wow wraps yay yeah yep yes yet yikes you you'd you'll you're you've your yours yourself yourselves yum
    yummy yup""".split()
)
"""Words that say nothing alone or together: no ``I`` and ``my``, no denials, few nouns and verbs."""

_ASKING: Final = frozenset(
    """day evening ever lately many new not one out they today tonight want watch were where work""".split()
)
"""Words that say nothing in a question, if its others say nothing."""

_VERY: Final = r"(?:(?:\w+ly|so|very|super|just|always|also|all|too|do|will|would|pretty|both) )*"
_GOOD: Final = (
    r"(?:amazing|awesome|beautiful|best|better|cool|exciting|fabulous|fantastic|fun|good|great|happy"
    r"|heartwarming|incredible|inspiring|interesting|kind|lovely|nice|perfect|proud|safe|special"
    r"|stunning|sweet|touching"
    r"|true|wonderful)"
)
_HARD: Final = r"(?:so |really |very |pretty )*(?:tough|sad|hard|painful|scary)"
_HELP: Final = r"(?:support|encouragement|kind words|kindness|help|motivation|love|compliments?|good luck)"
_AND_YOU: Final = r"(?=\W*\Z|,? (?:thanks|thank|how|what|and)\b)"
_MET: Final = r"(?:to|with|you|up|again)"

_PHRASES: Final = rf"""
(?:im|i'm|i am|i was|i'd be|we're|we are) {_VERY}(?:glad|happy|sorry|proud|excited|delighted|thrilled|pleased)
(?:im|i'm|i am|i was|we're|we are) {_VERY}(?:sure|thankful|grateful|inspired|impressed)
(?:i'm|i am|we're) {_VERY}(?:cheering|rooting|listening|looking forward)(?: for you)?
(?:i'm|i am|we're) {_VERY}(?:here|there) (?:for you|to help|to support)
(?:im|i'm|i am) (?:doing )?(?:really |pretty |so )*(?:good|great|well|fine|ok|okay|alright){_AND_YOU}
(?:i|we) {_VERY}(?:appreciate|agree|hope|understand|admire|(?:love|like) (?:it|that|this|how|hearing|seeing))
(?:i|we) {_VERY}(?:feel (?:you|the same)|get (?:it|that|you|what you mean)|see|know|hear you|believe in you)
(?:i|we) {_VERY}(?:can(?: only)? (?:imagine|tell|relate|see)|can't imagine|think so|look forward|wish you)
i could help
i'd {_VERY}(?:love|like|appreciate)
i(?:'ll| will) {_VERY}(?:let you know|do (?:it|that)|(?:do|try) my best|keep (?:it|that|this) in mind)
i(?:'ll| will) {_VERY}(?:see you|talk to you|keep (?:it up|going|my fingers crossed))
i(?:'ll| will) {_VERY}(?:be (?:here|there) for you|give (?:it|that) a (?:try|go|shot))
i will(?=\W*\Z)
i (?:gotta|got to|have to|need to) (?:go|run)(?: now)?(?=\W*\Z|, (?:bye|see|talk))
(?:gotta|got to|have to|need to) (?:go|run)(?=\W*\Z)
can i (?:help|assist|do)
what i (?:need|want)(?:ed)?
we(?:'ve)? got this|we can do (?:it|this)|we're in this together|we'll get through (?:this|it)
doing my best|my (?:pleasure|god|goodness|gosh|heart goes out)
my friends?(?=\W*\Z|[,!.])
(?:have|having|had|got|i've got|i got) (?:my|your) back
(?:the|your|all|of)(?: the| your)? {_HELP}(?: and {_HELP})*|{_HELP} (?:means|mean)
the (?:best|same|sound of)|by the way
{_GOOD} (?:(?:little |old )?friends?|people|person|guy|guys|day|night|evening|weekend|week|times?)
{_GOOD} (?:moment|feeling|news|work|job|chat|point|idea|call|rest of your day|one)
{_GOOD} (?:question|choice|vibes|memory|memories)
what a (?:day|moment|time|view|feeling|surprise)
(?:oh|aw|hey|hi|thanks|yeah|wow|ok|cool|great|good|nice) (?:man|dude|buddy|pal|bro|girl)|you guys
(?<=, )(?:man|dude|buddy|pal|bro|friend|mate|girl|everyone|guys)(?=\W*\Z)
good (?:morning|afternoon|evening|night|luck)|(?:best|lots) of luck|any luck
(?:no|not a|any) (?:problems?|worries|need to (?:worry|thank me)|way)
no doubt|no matter what|not (?:at all|really)|why not|isn't it|(?:that|this|which) one
(?:that|it|this) must (?:be|have been|have felt)(?: {_HARD})?|must (?:be|have been|have felt)
(?:that's|that is|sounds?|oof|so|how) {_HARD}
(?:feel|felt|feels) (?:free|(?:so |really |very )*{_GOOD})|they (?:look|sound)
(?:to|great|nice) meet(?:ing)? you|since we (?:last )?(?:spoke|talked|chatted)
long time,? no (?:see|talk|chat|speak)
(?:see|talk|speak|chat|catch)(?:ing)?(?: {_MET})* (?:soon|later|tomorrow|tonight|then|there|around)
catch(?:ing)? up|(?:keep|stay|be) in touch|take (?:good )?care
(?:take|enjoy|have) your (?:time|day)|hang in there
how are you(?: doing| feeling)*(?: today)?|how(?:'s| is) your day
keep(?: \w+ing)? (?:it up|going|at it|on going|your chin up|pushing|shining)
keep up (?:the|that) {_GOOD} (?:work|spirit|attitude)
let's (?:go|get (?:it|this)(?: done)?|get (?:to|on with) it)
don't (?:worry|give up|mention it|be sorry)|never (?:give up|say never)|(?:i |we )?can't wait
couldn't agree more|fingers crossed|(?:you|you've) got (?:this|it)|got (?:it|you|ya)|go for it|way to go
giv(?:e|ing) (?:it|that|this) a (?:try|go|shot)
you'll (?:get there|do great|be fine)|you can do (?:it|this|anything)|how (?:it|that|things|everything) goes
makes? sense|well done|com(?:e|ing) (?:together|up)|let me (?:know|show you)|show me|going to be|gonna be
(?:helping|help|try|check)(?: (?:it|them|that|this))? out|out there
(?:here |there )?to support you|whenever you need(?: (?:me|it|help))?
welcome back|get (?:well|better) soon|a bunch
"""
"""Phrases that say nothing, with words that say something elsewhere; one or more a line."""

_PHRASE: Final = re.compile(rf"(?<![\w'])(?:{'|'.join(_PHRASES.split(chr(10))[1:-1])})(?!'?\w)")

_NAMED: Final = re.compile(
    r"(?<!\b(?:to|by|of|at|on|or|in) )(?<!\b(?:with|from|than|like) )(?<!\b(?:for|and|see) )"
    r"\b[A-Z]\w+(?: [A-Z]\w+)*(?=\W*\Z|[,!.?…]| -)"
)
"""Capitalised words that may call somebody."""

_GREETED: Final = re.compile(
    r"\A\W*(?i:(?:hey|hi|hello|bye|good (?:morning|afternoon|evening|night))[, ]+"
    r"|(?:thanks|thank you|congrats) )(?:there\b|[A-Z][\w-]+(?: [A-Z][\w-]+)?(?=[,!.…]|\W*\Z))"
)
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")


def is_courtesy(sentence: str, names: Collection[str] = ()) -> bool:
    """Whether a sentence greets, thanks, praises or comforts, perhaps one of ``names``, and no more."""
    said = _GREETED.sub("", " ".join(sentence.replace("’", "'").split()))
    said = _NAMED.sub(lambda found: _without(found[0], names), said)
    rest = _PHRASE.sub(" ", _DRAWN_OUT.sub(r"\1", said.lower()))
    asks = rest.rstrip(" \"')").endswith("?")
    return all(word in _WORDS or (asks and word in _ASKING) for word in _WORD.findall(rest))


def _without(called: str, names: Collection[str]) -> str:
    """The words that are no names, nor the beginnings of any, such as Mel for Melanie."""
    return " ".join(
        word
        for word in called.split()
        if len(word) < 3 or not any(name.startswith(word.lower()) for name in names)
    )
