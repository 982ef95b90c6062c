"""The words and patterns that show what a sentence expresses.

The regular expressions are for lower-case text with straight apostrophes and take linear time.
"""

import re
from typing import Final

from legacymind.text.words import STOP_WORDS

MARKS: Final[dict[str, str]] = {
    "hedge": """maybe, perhaps, possibly, probably, apparently, presumably, i guess, i suppose, not
        sure, unsure, uncertain, might, may, could be, seem, seems, seemed, appears to, appear to,
        likely, i suspect, somehow, vielleicht, quizás, peut-être, возможно""",
    "absolute": """always, never, everyone, every one, everybody, nobody, no one, everything, nothing,
        all of, none of, obviously, clearly, of course, certainly, definitely, impossible, undoubtedly,
        without doubt, without a doubt, the only, completely, totally, immer, niemals, siempre, nunca,
        toujours, jamais, всегда, никогда""",
    "belief": """i think, i believe, i feel like, i assume, assume, assumes, assumed, assuming, we
        think, we believe, in my opinion, in my view, i expect, i suspect, i guess, my hunch, my theory,
        my impression, ich glaube, creo que, je pense""",
    "negation": """not, no, never, none, nothing, nobody, neither, nor, without, cannot, can't, don't,
        doesn't, didn't, isn't, aren't, wasn't, weren't, won't, couldn't, shouldn't, wouldn't, haven't,
        hasn't, hadn't, mustn't, hardly, nicht, kein, keine, keinen, ne, pas, не, нет""",
    "trouble": """fail, fails, failed, failing, failure, failures, break, breaks, broke, broken,
        breaking, slow, slower, slowly, stuck, wrong, wrongly, lost, lose, loses, losing, crash,
        crashes, crashed, crashing, leak, leaks, leaked, leaking, missing, problem, problems, issue,
        issues, confusing, flaky, error, errors, bug, bugs, panic, panics, time out, times out, timed
        out, timeout, timeouts, hang, hangs, rejected, refused, denied, conflict, conflicts, late,
        delay, delays, delayed, worse, damage, damaged, blocked, blocks, blocker, fehler, kaputt""",
    "feeling": """afraid, angry, anxious, annoyed, annoying, ashamed, bored, burned out, burnt out,
        confused, sad, disappointed, discouraged, embarrassed, excited, exhausted, frustrated,
        frustrating, glad, grateful, guilty, happy, hopeful, hopeless, hurt, hurts, jealous, lonely,
        feel lost, nervous, overwhelmed, proud, relieved, scared, stressed, tired, uneasy, upset,
        worried, worry, worries, fear, i hate, i love, i miss, grief, hate, dread""",
    "observed": """saw, see, sees, seen, noticed, notice, observed, measured, shows, showed, show,
        found, happens, happened, returns, returned, says, said, reports, reported, prints, printed,
        logs, logged, counted, took, takes, went up, went down, goes up, goes down, stopped, started,
        began, appeared, dropped, rose, fell""",
    "trend": """grow, grows, growing, grew, grown, increase, increases, increased, increasing, rise,
        rises, rising, rose, shrinks, shrinking, falls, falling, decreases, decreased, decreasing,
        decline, declines, declining, accumulates, accumulate, piles up, piling up, drains, draining,
        more and more, less and less, doubles, doubled, doubling, fills up, slower and slower, wears
        out, wears off""",
    "loop": """again and again, over and over, vicious circle, vicious cycle, feedback, spiral,
        spiralling, spirals, snowballs, snowballing, keep *ing, keeps *ing, every time, each time,
        whenever, feedback loop, loop again, in a loop, self-reinforcing, self-fulfilling, in circles,
        once more, yet again, all over again""",
}
"""The phrases of each kind of mark; ``*ing`` is any word with that ending."""


def _lexicon() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for mark, phrases in MARKS.items():
        for phrase in phrases.split(","):
            first, *rest = phrase.split()
            found.setdefault(first, []).append((mark, tuple(rest)))
    return found


LEXICON: Final = _lexicon()
"""For each first word, the marks that it may begin and the words that must follow."""

TOKEN_PATTERN: Final = re.compile(r"[^\W_][\w'-]*")

_THE_CAUSE = (
    r"because of|because|due to|owing to|thanks to|as a result of|caused by|on account of|weil|porque"
    r"|parce que|perché|потому что|since(?= (?:i|we|it|they|he|she|you|this|that|there|nobody|no|all|every"
    r"|the \w+ (?:is|are|was|were|has|have|had|does|do|can|will|would|cannot|can't|isn't|doesn't))\b)"
)
_THE_EFFECT = (
    r"leads? to|led to|causes|caused(?! by)|results? in|resulted in|triggers|triggered"
    r"|which (?:makes|made|means)|which is why|that is why|that's why|and therefore|therefore"
    r"|and hence|hence|and thus|consequently|as a result(?! of)|and so|(?<=,) so(?! that| far| on)"
)
CAUSE_WORDS: Final = frozenset(
    """because due owing thanks result caused account weil porque parce perché потому since as lead
        leads led causes results resulted triggers triggered makes made means why therefore hence thus
        consequently so deshalb eso""".split()
)
CAUSE_PATTERNS: Final = (
    re.compile(rf"^(?P<effect>.{{3,}}?)[,;:]? \b(?:{_THE_CAUSE}) (?P<cause>.{{3,}})"),
    re.compile(r"^(?:because|since|as|weil) (?P<cause>[^,]{8,}), ?(?:then |it is that )?(?P<effect>.{3,})"),
    re.compile(rf"^(?P<cause>.{{3,}}?)[,;:]? ?(?:{_THE_EFFECT}),? (?P<effect>.{{3,}})"),
)
"""Patterns of a sentence with a cause and an effect."""
CONSEQUENCE_PATTERN: Final = re.compile(
    r"^(?:therefore|hence|thus|consequently|as a result|that's why|that is why|this is why|so"
    r"|which means(?: that)?|deshalb|por eso)[, ] ?(?P<effect>.{3,})"
)
"""Pattern of a sentence that gives the effect of the previous one."""

CONTRAST_WORDS: Final = frozenset(
    """but although though whereas however despite spite except while yet still nevertheless hand
        contrary conversely aber obwohl pero mais но""".split()
)
CONTRAST_PATTERNS: Final = (
    re.compile(
        r"^(?P<one>.{3,}?),? (?:(?<!nothing )(?<!anything )(?<!all )but|although|even though|though|whereas"
        r"|however|despite|in spite of|except that|aber|pero|mais|но|(?<=, )while|(?<=, )yet)"
        r" (?P<other>.{3,})"
    ),
    re.compile(
        r"^(?:although|even though|though|while|despite|in spite of|obwohl) (?P<one>[^,]{3,}), ?"
        r"(?P<other>.{3,})"
    ),
)
"""Patterns of a sentence with two contrasting sides."""
OBJECTION_PATTERN: Final = re.compile(
    r"^(?:but|however|yet|still|nevertheless|on the other hand|on the contrary|conversely|aber|pero|mais|но)"
    r"[, ] ?(?P<other>.{3,})"
)
"""Pattern of a sentence that contrasts with the previous one."""

OPTION_WORDS: Final = frozenset({"or", "vs", "versus"})
_OR = r",? or (?!not\b)(?P<other>[^.,;?!]{2,80})"
OPTION_PATTERNS: Final = (
    re.compile(rf"\beither (?P<one>.{{2,80}}?){_OR}"),
    re.compile(rf"\bwhether (?:to |i should |we should )?(?P<one>.{{2,80}}?){_OR}"),
    re.compile(rf"\bshould (?:i|we|you|they|he|she|it) (?P<one>.{{2,80}}?){_OR}"),
    re.compile(r"(?:^|[,:;] )(?P<one>[^.,:;?!]{2,60}?) (?:vs\.?|versus) (?P<other>[^.,;?!]{2,60})"),
    re.compile(rf"(?:^|[,:;] )(?P<one>[^.,:;?!]{{2,80}}?){_OR}\?"),
)
"""Patterns of a sentence that is undecided between two options."""

GOAL_WORDS: Final = frozenset(
    """decided decision i'll we'll will shall going plan plans planned planning let's let next todo want
        wants wanted need needs hope hopes try trying tried aim aims goal have has must should""".split()
)
GOAL_PATTERN: Final = re.compile(
    r"(?<![\w'])(?P<by>decided (?:to|on|that)|decision is to|(?:i|we)(?:'ll| will| shall)"
    r"|(?:am|are|is) going to|plan(?:s|ned|ning)? to|let's|let us"
    r"|next(?: step)?(?:: ?(?:i |we )?(?:will )?| is to|,? (?:i|we) (?:will )?)|todo:?"
    r"|(?:want|wants|wanted|need|needs|hope|hopes|try|trying|tried|aim|aims) to|goal is(?: to)?"
    r"|have to|has to|(?<!it )(?<!that )(?<!this )(?<!there )must|should) ?(?P<goal>\w.{3,})"
)
DECISION_PATTERN: Final = re.compile(r"decided|decision|'ll|will|shall|going|plan|let|next")
"""Whether the introduction of a goal expresses a decision."""

_COMPARATIVE = (
    r"(?:more|less|fewer|better|worse|longer|shorter|faster|slower|larger|bigger|smaller|higher|lower|older|newer"
    r"|later|earlier|sooner|harder|easier|greater|deeper|closer|further|stronger|weaker|busier)"
)
THE_MORE_PATTERN: Final = re.compile(
    rf"\bthe {_COMPARATIVE} [^.;]{{2,80}}?,? the {_COMPARATIVE} [^.;]{{2,80}}"
)
NUMBER_PATTERN: Final = re.compile(
    r"(?<![\w.])[-+~≈<>]?[$€£]?\d[\d.,:/]*(?<=\d)(?:[–-]\d+| of \d+)?"
    r"(?: ?(?:%|°[cf]|µs|[kmgt]i?b|[nm]?s|min|h|d)(?!\w)"
    r"| (?!(?:and|or|in|to|of|is|the|at|on|for|but|was|are|by|if|as|a)\b)[a-z]{2,14}\b|(?!\w))"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|half)(?: [a-z]{2,14})?\b"
)

NOT_TOPICS: Final = (
    STOP_WORDS
    | frozenset(LEXICON) - frozenset("error errors bug bugs leak timeout timeouts conflict conflicts".split())
    | frozenset(
        """actually also another anything around back become been being better come could didn't done
            either else even ever far feel find get gets give goes going got great it's i'm keep keeps
            know least let let's like long look lot made make makes many much need needs new often one
            please put quite rather real really say shall since someone something sometimes still such
            sure take than thing things think times try trying two until upon use used using very want
            wants way well what's while who whole work works would yes yet because although though
            however whereas despite therefore day days week weeks month year year's und der die das ein
            eine ist mit auf für den dem von que los las del por con una les des est pour dans qui sur
            das small big large high low old bad different
            afterwards best cheap cheaper clean cleaner common commonly conventional conventionally
            debe doit earlier easier easy elegant enough expensive fair fast faster finally first
            firstly forbidden good important industry last later meaningful meanwhile muss must
            müssen next normally ought right robust safe safer scalable simple simpler standard
            supposed today tomorrow traditionally typical typically ugly usual usually worst worth
            yesterday""".split()
    )
)
"""Words that are never topics."""
