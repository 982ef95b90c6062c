"""Varied thoughts for the tests of the frameworks, by name."""

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "plain": "The pump is fine.",
    "word": "Hm.",
    "pool": (
        "The deploy fails since the upgrade to 3.2 because the connection pool is too small. The "
        "pool is too small because nobody changed the default of 10 connections. I think the "
        "restarts make it worse."
    ),
    "shard": (
        "Should we shard the database or move to a bigger machine? Sharding is elegant, but it "
        "makes every query harder. We must keep the latency under 200 ms. I'll benchmark both next "
        "week."
    ),
    "release": (
        "I'm frustrated with the release process. Every release takes two days and everyone "
        "obviously hates it. The more we test, the slower we ship."
    ),
    "traceback": """The import died again after the upgrade of pandas.

Traceback (most recent call last):
  File "/srv/app/load_rows.py", line 31, in <module>
    row = parse_cell(cell)
ValueError: invalid literal for int() with base 10: 'abc'

I suspect that the export changed. Next I will look at the first 5 rows.""",
    "java": (
        'Exception in thread "main" java.lang.IllegalStateException: no session\n\tat '
        "com.acme.Main.main(Main.java:14)"
    ),
    "loop": (
        "The queue grows again and again. When the queue is long, the workers retry, and the "
        "retries fill the queue. Every time our Anna restarts the workers."
    ),
    "contradiction": "The cache keeps the session of a user. The cache does not keep the session of a user.",
    "custom": (
        "Best practice is to write the tests first. Usually we review everything twice, since the "
        "bank requires it."
    ),
    "decision": "We decided to drop the mobile client. The mobile client had 40 users and cost 3 people.",
    "options": "Either we rewrite the parser, or we wrap the old one. Whether to wait or to act is open.",
    "hedged": "Maybe the clock is wrong. Perhaps it was always wrong, not sure. It might be the battery.",
    "question": "Why does the second start take 14 s, when the first one takes 7 s?",
    "grief": (
        "I feel lonely since my sister moved away. I miss our walks because we talked about everything."
    ),
    "trend": ("The backlog doubles every month. More and more customers leave, therefore the income falls."),
    "therefore": "The valve was left open. Therefore the tank ran dry. Consequently the pump broke.",
    "although": "Although the index is small, the search is slow. However, the second search is fast.",
    "philosophy": "A promise must be kept, because trust rests on it. Is a promise to a thief a promise?",
    "bullets": (
        "# Plan\n\n- decide on the store\n- we will use Neo4j\n- [ ] measure 3 sizes\n1. then write it down"
    ),
    "code": (
        "The reader is slow:\n\n```python\nfor row in rows:\n    if always and never: raise "
        "ValueError('x')\n```\n\n`read_rows()` takes 35 ms because `parse_cell()` copies."
    ),
    "german": (
        "Der Zwischenspeicher ist kaputt, weil die Uhr falsch geht. Aber gestern lief sie noch. "
        "Warum geht die Uhr falsch?"
    ),
    "spanish": "La bomba falla porque el tanque está vacío. ¿Quién vació el tanque?",
    "chinese": "缓存坏了，因为时钟不对。为什么时钟不对？昨天还是好的。",
    "arabic": "المضخة لا تعمل لأن الخزان فارغ. من أفرغ الخزان؟",
    "russian": "Кэш сломан, потому что часы идут неверно. Но вчера он работал.",
    "emoji": (
        "The build is green \U0001f389\U0001f469\u200d\U0001f680 but the deploy is red \U0001f525, "
        "so nobody 😢 is happy!"
    ),
    "bidi": "The name \u202egpj.exe\u202c looks safe because \u2066it ends\u2069 in jpg.",
    "control": "The pump\x00 fails\x1b[31m because\x07 the tank is empty.\x85 It must\x0b be filled.",
    "surrogate": "The pump \ud800 fails because the tank \udfff is empty.",
    "shouting": "EVERYTHING IS BROKEN BECAUSE NOBODY TESTS!!! WE MUST TEST!!!",
    "punctuation": "…!? --- ((( *** ))) ,,, ;;; “” ''",
    "line": "the tank is empty because the valve leaks and " * 400,
    "numbers": "1 2 3 4.5 6,7 8% 9ms -1 +2 $3 4/5 6:07 2026-11-21",
    "html": '<p>The page must load in <b>2 s</b> because users leave.</p> <script>alert("x")</script>',
    "json": '{"level": "error", "message": "Connection refused", "retries": 3}',
    "curly": "I’m not sure: it’s slow because we don’t cache. We’ll cache it, but it can’t be right.",
    "quotes": "She said “always test” and 'never ship on Friday' because “the team” was “burned”.",
}
