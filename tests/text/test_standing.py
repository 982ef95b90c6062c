"""Standing preferences and instructions are recognised, and statements of the moment are not."""

import pytest

from legacymind.text.standing import is_standing


@pytest.mark.parametrize(
    "text",
    [
        "Always format code with syntax highlighting when I ask about implementation details.",
        "Thanks! Always include version numbers when I ask about dependencies.",
        "When I ask about history, cite your sources.",
        "Whenever I mention a deadline, you should confirm the date.",
        "If I ask for code, don't explain every line.",
        "From now on, answer in German.",
        "from now on please keep it short",
        "Use metric units from now on.",
        "Going forward, never commit to main without a review.",
        "Never push to main.",
        "- Always run the linter before a commit",
        "OK, always address me as Doctor.",
        "You must never share my address.",
        "I want you to always double-check figures.",
        "Please always reply in English.",
        "Please remember that I am allergic to nuts.",
        "Remember that I prefer tea.",
        "Please keep in mind that I work night shifts.",
        "I prefer short answers.",
        "I really prefer tabs to spaces, so can you convert this file?",
        "We talked about it: I prefer window seats.",
        "My preferred editor is Vim.",
        "Rule: no deployments on Fridays.",
        "User preference: concise answers",
        "The user prefers bullet points.",
        "The user asked me to never use emojis.",
        "Call me Sam.",
        "Don’t ever delete my drafts.",
        "Ab jetzt antworte auf Deutsch.",
        "Ich bevorzuge kurze Antworten.",
        "Désormais, réponds en français.",
        "Je préfère les réponses courtes.",
        "Siempre usa pnpm.",
        "Prefiero respuestas cortas.",
        "今後は日本語で答えてください。",
        "永远不要直接推送到主分支。",
    ],
)
def test_a_standing_preference_or_instruction_is_recognised(text: str) -> None:
    assert is_standing(text)
    assert is_standing(text, "user")
    assert not is_standing(text, "Assistant")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The deploy always fails on Mondays.",
        "Ich bin immer müde.",
        "Il est toujours en retard.",
        "El tren siempre llega tarde.",
        "Immer noch Regen?",
        "昨日は雨でした。",
        "今天下雨了。",
        "I've never used Flask before.",
        "Never mind, it works now.",
        "Never give up! You're doing great.",
        "Never say never!",
        "Always a pleasure to talk to you.",
        "She always told me to never stop.",
        "It reminds me to always put in my best effort.",
        "I'll be more careful from now on.",
        "From now on I'll write everything down.",
        "Do I prefer tea or coffee?",
        "Should I always use a virtual environment?",
        "What would I prefer?",
        "What should I do when I ask for a refund?",
        "Call me when you arrive.",
        "I remember to water the plants.",
        "Do you remember the time we met?",
        "The rule is simple.",
        "Prefer composition over inheritance, says the book.",
        "The cache never expires, so the check lies.",
        "```\nAlways use this\n```",
        "The pool was full. " * 40 + "Always check the pool size.",
    ],
)
def test_other_statements_are_not_taken_for_one(text: str) -> None:
    assert not is_standing(text)
