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


BODY_AND_PERMISSION = """
I'm allergic to penicillin.
I am severely allergic to bee stings, so keep that in mind.
My daughter is allergic to peanuts.
I can't eat gluten.
I have a shellfish allergy.
Dairy makes me sick.
I'm vegan.
I am lactose intolerant and diabetic.
I don't drink alcohol.
The user is allergic to latex.
I'm color blind, so don't rely on red and green.
I'm a vegetarian, by the way.
User has celiac disease.
Ask me before you merge anything.
Check with me first before deploying.
Don't push to main unless I say so.
never email clients without my ok
Do not touch the production database without asking me.
Before you delete files, ask me.
Always get my approval before spending money.
Run it by me before you send anything to customers.
Wait for my go-ahead before you publish.
Don't book flights without checking with me first.
Nothing goes to production without my sign-off.
Please confirm with me before running migrations.
Make no purchases without my permission.
I always want metric units.
Please stop using emojis.
No emojis, ever.
I only want short answers.
I don't want you to apologise all the time.
I hate long introductions in answers.
Stop apologizing for everything.
I never want to be called on weekends.
From now on answer in French
My pronouns are they/them.
I can't stand bullet points.
I'd rather you answered in Dutch from now on.
Ask before you install new packages.
You need my permission before you change the schema.
Don't deploy to prod unless the tests pass.
Check with Ada before changing the billing code.
Remember, I have a severe nut allergy.
I get hives from strawberries.
My husband is allergic to cats, keep that in mind when you plan.
I can't have caffeine after noon.
I'm on a low-sodium diet.
I keep kosher.
Never restart the cluster without telling the on-call engineer.
Don't ever send a tweet unless I approve it.
You must ask before running anything with sudo.
I want all dates in ISO format.
Keep your answers under 100 words.
Please address me formally.
No calls on Sundays.
I am deaf in one ear, so put everything in writing.
""".strip().splitlines()

NEITHER = """
Ask me tomorrow, I'm busy now.
The test failed before you merged it.
I asked Bob before I deployed.
The doctor asked whether I am allergic to anything.
Are you allergic to cats?
Is Marit allergic to nuts?
I can't eat now, the meeting starts.
I can't eat another bite!
This code makes me sick.
The thought of another migration makes me sick.
The dog is allergic to flea powder, said the vet.
Did you check with Ada before deploying?
She left without asking me.
He merged it without my approval.
They deployed without permission, which broke the build.
It does not work without my VPN.
Don't worry unless I call you.
Stop the server.
Please stop the build, it hangs.
I stopped using emojis last year.
I want a new laptop.
I want you to fix this test.
I don't want to talk about it.
I don't want this to take long.
I hate Mondays.
I hate when that happens!
I can't stand up today, my back hurts.
Vegan food is popular in Berlin.
My brother's vegan cafe opened yesterday.
The cafe is vegan.
Before you ask, the server was down.
Before you came, I asked Ada.
Wait for me before you leave today.
The policy said not to deploy without approval.
No changes without review were found in the log.
No emails arrived without attachments.
I never want to see that movie again.
I'm sick of this bug.
We ran out of milk, and I don't drink coffee black today.
Confirm the order number before you ship this one.
I only want to know the time.
I have an appointment about my allergy test tomorrow.
User has a meeting with the client.
I am a vegan coach and need a plan.
I only want you to reply with one word to this text.
Stop asking and just proceed.
I want your help in writing an article.
As an AI model, I don't have preferences or feelings.
I can't have you wait for it.
""".strip().splitlines()


@pytest.mark.parametrize("text", BODY_AND_PERMISSION)
def test_what_a_body_cannot_take_and_what_needs_permission_is_standing(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize("text", NEITHER)
def test_what_sounds_like_it_is_none(text: str) -> None:
    assert not is_standing(text)


def test_a_request_among_other_sentences_is_none() -> None:
    assert not is_standing("You got this, Jon! Don't let the bumps bring you down. Use sunscreen.")
