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


HEALTH = """
I'm allergic to penicillin.
I can't eat gluten
shellfish makes me sick
I have a severe peanut allergy.
I am lactose intolerant, so no milk in recipes please.
I have celiac disease
I'm vegan.
I don't eat pork.
I'm colour-blind, so don't rely on red and green in charts.
Dairy gives me a headache
I'm diabetic
I am allergic to latex
I've got a nut allergy
My body: I'm severely lactose-intolerant.
Eggs make me ill
Red wine gives me migraines.
I don't drink alcohol.
I cannot tolerate caffeine
I'm a vegetarian, so suggest dishes without meat.
As I'm deaf in one ear, I'd like transcripts.
I get hives from strawberries
I break out in a rash when I eat nuts.
I suffer from migraines, so avoid bright themes.
I'm gluten-free
I keep kosher
I am severely allergic to bee stings, so keep that in mind.
My daughter is allergic to peanuts.
I have a shellfish allergy.
Dairy makes me sick.
I am lactose intolerant and diabetic.
The user is allergic to latex.
I'm color blind, so don't rely on red and green.
I'm a vegetarian, by the way.
User has celiac disease.
Remember, I have a severe nut allergy.
My husband is allergic to cats, keep that in mind when you plan.
I can't have caffeine after noon.
I'm on a low-sodium diet.
I am deaf in one ear, so put everything in writing.
My daughter is lactose intolerant.
Joanna is allergic to turtles.
Marit is lactose intolerant and vegan.
Marit has a severe peanut allergy.
Marit doesn't drink alcohol.
Marit must not be given ibuprofen.
Joanna never eats meat.
The user must never be served shellfish.
""".strip().splitlines()

CONSENT = """
Ask me before you merge
Check with me first before deploying
Don't push to main unless I say so
never email clients without my ok
Do not touch the production database without asking me
Run every migration past me before you apply it.
You may only delete branches after I have confirmed it.
No force pushes without my approval.
Get my permission before you install packages
You need my approval to spend money
Don't order anything until I've confirmed it
Wait for my go-ahead before sending anything to customers.
Anything that touches billing needs my sign-off.
Let me know before you delete any files.
Never order groceries without my approval
Please don't change the schema unless I approve
Confirm with me before booking flights.
Before you send an email to a client, show it to me first.
Consult me prior to upgrading any dependency
Refunds above 100 EUR require my approval
Only publish posts after I've reviewed them.
Don't install anything without telling me
Nothing goes to production without my sign-off
Do not delete backups unless I explicitly ask
Clear it with me before you sign anything.
Don't spend any money without checking with me
You're not allowed to push without my permission
Never merge pull requests I haven't reviewed
Get a yes from me before you post anything
I need to approve every deployment.
Always check with me before booking travel
Ask for my approval before deleting anything.
Ask me before you merge anything.
Before you delete files, ask me.
Always get my approval before spending money.
Run it by me before you send anything to customers.
Wait for my go-ahead before you publish.
Don't book flights without checking with me first.
Please confirm with me before running migrations.
Make no purchases without my permission.
Ask before you install new packages.
You need my permission before you change the schema.
Don't deploy to prod unless the tests pass.
Check with Ada before changing the billing code.
Never restart the cluster without telling the on-call engineer.
Don't ever send a tweet unless I approve it.
You must ask before running anything with sudo.
You may delete branches without asking me once they are merged.
User allows the agent to push to feature branches without review.
You have my permission to spend up to 20 euros a month on APIs.
Never touch the production database without asking first.
User requires two-factor confirmation before any payment is made.
User expects a plan before code changes.
You can restart the staging servers without telling me.
You may restart the staging server whenever you need to.
You're allowed to delete files in /tmp without asking.
User instructed the agent to never send e-mails without approval.
User permits automatic deployment to staging.
""".strip().splitlines()

LASTING = """
From now on answer in French
I always want metric units
Please stop using emojis
I'd like you to use British spelling in everything you write for me.
I want all dates in ISO format.
I like my answers short.
I hate bullet points
Stop apologising all the time.
No more emojis please
Every time you finish a task, run the tests.
Before every commit, run the linter.
I don't want you to add comments to my code.
My pronouns are they/them.
You don't need to explain basic Python to me.
Address me formally.
All my meetings should be scheduled after 10 am.
Use tabs by default.
I'd rather you asked than guessed.
By default, write tests in pytest.
I never want animations in the UI.
I always expect a changelog entry.
Stop adding disclaimers to answers
Stop calling me sir.
I'd prefer you write in the active voice.
I want your answers without tables
I can't stand jargon.
After each release, update the changelog.
Whenever you write SQL, use lower-case keywords.
You don't have to summarise what you did.
Generally, keep functions short.
Please address me as Dr. Osei.
Henceforth, write in Spanish.
I would like you to explain things with examples.
Each of my reports must be in PDF.
Don't schedule meetings before 10 am.
From here on no tables.
Never use my first name in public posts.
I do not want comments in code
Don't call my clients.
No abbreviations in documentation, please.
I'd like shorter answers in general.
Don't ever apologise.
Respond only in Portuguese.
Keep your answers under 100 words.
I want you to speak to me in Swahili.
Dates should always be in ISO format.
For arrivals I always want the error next to the value.
In all reports, use euros.
Please don't send me notifications after 8 pm
I don't like long emails.
Use 24-hour times in all my schedules
No emojis, ever.
I only want short answers.
I don't want you to apologise all the time.
I hate long introductions in answers.
Stop apologizing for everything.
I never want to be called on weekends.
I can't stand bullet points.
I'd rather you answered in Dutch from now on.
Please address me formally.
No calls on Sundays.
Marit prefers to be addressed as Dr. Haugen.
Marit only takes calls between 10 and 15.
Every Monday morning, send me the week's calendar.
Every evening, remind me of my medication.
User's preferred language is Norwegian.
I hate long introductions; get to the point.
User asked to be reminded of his medication every evening at 8.
Default to dark themes for any UI you build for me.
For future reference: I use a Dvorak layout and want shortcuts that suit it.
In general I favour functional style over classes.
Under no circumstances share my address with third parties.
On no account call me on my work phone.
Be blunt with me; I don't need things sugar-coated.
User would like to be told about breaking changes in advance.
Maria wants all dates in ISO format.
Ben always wants tests written before the implementation.
Lena would rather get a phone call than an email.
User asked to always be addressed as Dr. Novak.
I like my code commented in English.
Keep explanations under 100 words by default.
User's preferred language for scripts is Python.
I usually want the summary first and the details after.
""".strip().splitlines()

LOOK_ALIKES = """
My brother is allergic to cats.
Is anyone allergic to nuts?
The customer can't eat gluten, what should we cook tonight?
The smell in the lab made me sick yesterday.
Ask Bob before you merge this one.
Check the logs before deploying.
Don't merge this PR until CI is green.
I can't open the file.
I can't eat right now, I'm in a meeting.
The docs say "never push to main without approval".
Bob said: "Ask me before you merge."
Please stop the server.
Stop the deployment, it's failing!
I want the report by Friday.
I want to fix this bug.
He can't work without his glasses.
Did you ask me before you merged?
Can you answer in French?
What happens if I push to main without asking?
The script asks me before it deletes files.
I have a meeting with the allergy clinic tomorrow.
I'm sick of this bug.
You need approval from legal for that contract.
I have a question before you start.
Tell me the result before you go on with step 2.
I don't eat before my blood test tomorrow.
Don't restart it until I say so, I'm still copying the data.
I like this answer.
I hate this bug.
This test makes me crazy.
Translate this text into French from English.
Let me know when the build is done.
I always forget the password.
I always wanted to visit Japan.
The team never deploys without asking me.
She always wants metric units.
We stopped using Jenkins in 2020.
Wait for me at the station.
My cat is allergic to fish
It is allergic to fish.
Berlin is vegan-friendly.
I'm vegan-curious, is that a thing?
Before the meeting, send me the slides.
The linter runs before every commit.
I want all the files from yesterday's backup.
I don't want to go out tonight.
No more tests failed after the fix.
Could you check with me first next time?
The default branch is main.
I need your approval to merge.
Everything that touches billing lives in the payments repo.
I was allergic to dust as a child, but not any more.
Is penicillin safe for people with an allergy?
Ben can't eat gluten, so he brings his own bread.
He's allergic to work, haha.
The guests don't drink alcohol tonight.
This hotel makes me sick with its prices.
You gave me a headache with that question.
Ask the vendor before you sign it.
Ask me again tomorrow before we leave.
I told Tom to check with me first before deploying.
Anna said "don't push to main unless I say so".
Why did you push to main without asking me?
They never deploy on Fridays without approval from ops.
The migration needs my laptop to be online.
The pull request requires approval from two people.
Stop the music!
Stop using that endpoint, it is being removed today.
Please stop.
No more coffee in the office today.
I want this text in French.
I want the answer in JSON for this call.
I don't want to eat before the flight.
I like the new report.
I hate Mondays.
I love tests that run fast.
Write in the log that we restarted it.
After the release, update the changelog.
Before the demo, run the tests once.
You don't need to restart the server.
You should see the error in the console.
Should I ask you before I merge?
Would you always write tests first?
The client always wants metric units in her drawings.
From now on she works in Berlin.
Whenever you look at it, the log is empty.
By default, the cache keeps a hundred entries.
Every test should be green by tonight.
The tool asks for permission before it deletes a file.
I could not eat at all yesterday.
I was vegan for two years, then gave up.
Let me know before you go.
Don't merge it until I have looked at the diff.
I'd like you to fix this test.
Can you stop using emojis in this one message?
We only deploy after QA has approved.
I got hives once.
He has a rash on his arm.
The menu is gluten-free.
Clear the cache before you start.
I need to approve his leave request today.
I haven't reviewed the pull request.
Did the client call?
Respond to the ticket.
The answers are under 100 words.
She speaks to me in Swahili.
The dates in the file are in ISO format.
Send me the notification logs.
That email was long.
Ask for a refund.
Merge it without asking Bob.
I asked her to never call again.
We keep the logs for 30 days.
The policy forbids deploys without approval.
Does the API need my permission?
Nothing works without my laptop.
I can't tolerate this noise any longer.
Stop sending the report to Carl.
He said he's allergic to shellfish.
My sister avoids gluten.
Write the letter in British English.
"Never use abbreviations", says the style guide.
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
User wants to book a flight to Rome next Friday.
User wants to visit every museum in Rome.
Do not enter, said the sign.
Always ask before you commit, my teacher used to say.
Never mix these two acids, he says.
I prefer the second draft.
I prefer this one.
User prefers the second draft.
User prefers option B for this release.
User dislikes the latest proposal.
Nobody is allergic to water.
Everyone is vegan here.
Stop apologising, you did nothing wrong.
Please always look at line 3 first in this file.
The function should never return null.
Every Monday the backup takes longer.
Marit has a severe cold.
Marit only takes the bus today.
User asked to be transferred to another agent now.
Maria wants the report in English by Friday.
Maria wants this summary in French.
Ben always wants to sleep.
You can run the tests whenever the build is green now.
You're allowed to leave.
The user asked the agent to restart the server.
I usually like to walk to work.
""".strip().splitlines()


@pytest.mark.parametrize("text", [*HEALTH, *CONSENT, *LASTING])
def test_every_kind_of_lasting_wish_is_recognised(text: str) -> None:
    assert is_standing(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_lasting_wish_is_none(text: str) -> None:
    """Requests of the moment, questions, and what others say, need or are told."""
    assert not is_standing(text)


def test_a_request_among_other_sentences_is_none() -> None:
    assert not is_standing("You got this, Jon! Don't let the bumps bring you down. Use sunscreen.")
