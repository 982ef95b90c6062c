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


NOTED = """
Please don't use emojis in commit messages
Use British English.
Do not deploy on Fridays.
Marit prefers metric units
The user wants answers without tables
User told me to use pnpm
Never push to main.
user: Never push to main.
Always run the linter before committing.
Answer in German.
Please answer in French.
Avoid jargon in release notes.
Keep commit messages short.
Don't add comments that repeat the code.
The user prefers dark mode.
User likes short answers.
She prefers tea in the morning.
Ada asked me to never use tabs.
The user asked for no emojis.
The user said to always squash commits.
User doesn't like long introductions.
Use tabs for indentation.
Use pnpm instead of npm.
Reply without bullet points.
Prefer composition over inheritance.
Please write docs in American English.
The user hates pop-up notifications.
I prefer short answers.
From now on, run tests first.
My preference is Celsius.
Call me Sam.
""".strip().splitlines()

OF_THE_MOMENT = """
Use the new API key for this run.
Fix the failing test in main.py.
Please run the tests now.
Don't worry about the warning.
Do not forget the meeting tomorrow.
I don't use Windows.
We use Postgres for billing.
The user wants a refund for order 42.
The user asked me to fix the login page today.
Ada told me that the server is down.
Write a function that parses dates.
Answer the customer's mail.
Keep the old logs until Friday.
The cache never expires.
Marit works in Oslo.
The user is in Berlin.
User logged in at noon.
The user asked for the price of the plan.
Don't mind me.
Do not disturb signs are sold out.
Use this token here.
She told me to call her tomorrow.
They asked us to send it again.
Reply to Bob about the invoice.
The deploy failed because the disk was full.
We decided to use Kafka.
He uses Vim.
Use case 3 fails on Safari.
Avoiding the bug needs a patch.
Talk with Ada about the budget.
The user expects a reply by Monday.
Please write this down.
Keep going!
Don't know why it fails.
Do not think it is the cache.
It prefers the index scan.
Bob told us to restart it.
Speak with the lawyer on Tuesday.
The answer in the FAQ is wrong.
The user has two dogs.
""".strip().splitlines()


@pytest.mark.parametrize("text", NOTED)
def test_what_agents_note_of_a_users_wishes_is_recognised(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize("text", OF_THE_MOMENT)
def test_requests_and_reports_of_the_moment_are_none(text: str) -> None:
    assert not is_standing(text)


def test_a_request_among_other_sentences_is_none() -> None:
    assert not is_standing("You got this, Jon! Don't let the bumps bring you down. Use sunscreen.")
