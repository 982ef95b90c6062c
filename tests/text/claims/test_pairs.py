"""A list of pairs of facts, true contradictions and agreeing ones, and how many of each are reported."""

from typing import Final

from legacymind.text.claims.disagreement import cues, disagreements

CONTRADICTING: Final = """
Engine | The weight is 15 t | Its weight is 20 t
Engine | The engine weighs 15 t | Engine weighs 15 kg
Billing | The timeout is 30 s | Billing's timeout is 30 minutes
Billing | Max memory = 4 GB | The max memory is 8192 MB
Depot | The distance to Lyon is 5 km | The distance to Lyon is 500 m
Billing | Session timeout: 30 s | The session timeout is 45000 ms
Gateway | Gateway listens on 8080 | Gateway listens on 9090
Gateway | Gateway listens on port 8080 | Gateway's port is 9090
Ada | Ada lives in Lyon | Ada has moved to Berlin
Acme | Acme moved to Hamburg in 2024 | Acme is based in Munich
Gateway | Gateway's owner is Ada | The owner of Gateway is Bob
Acme | The CEO of Acme is Jane Roe | John Doe is the CEO of Acme
Acme | Acme's CEO is Jane | Bob is Acme's CEO
Acme | Primary color = blue | The primary color is red
Gateway | Gateway is written in Rust | Gateway is written in Go
Ada | Ada works at Google | Ada works for Microsoft
Ada | Ada eats meat | Ada doesn't eat meat
Ada | Ada speaks French | Ada speaks no French
Editor | Dark mode is enabled | Dark mode is disabled
Login | Two-factor login is turned on | Two-factor login is off
App | The flag new-ui is enabled | The flag new-ui has been disabled
Gateway | The repo is public | The repo is now private
Billing | Backups are enabled | Backups are not enabled
Billing | The server is up | The server is down since Monday
Acme | Acme was founded in 1998 | Acme was founded in 2001
Ada | Ada was born in 1815 | Ada was born on 10 December 1816
Gateway | Version 2.0 was released in 2019 | Version 2.0 was released in 2020
Pump | The warranty ends in 2027 | The warranty ends in 2028
Hydra | The deadline is 3 May | The deadline is 5 May
Hydra | The meeting is on Monday | The meeting is on Tuesday
Gateway | Gateway requires Python 3.11 | Gateway requires Python 3.9
Ada | Ada has two children | Ada has three children
Gateway | The rate limit is 100 requests per minute | Rate limit: 500 requests per minute
Ada | Ada is allergic to peanuts | Ada is not allergic to peanuts
Gateway | Default branch: main | The default branch is master
Gateway | Gateway is licensed under MIT | Gateway is licensed under Apache-2.0
Warehouse | The warehouse covers 2 hectares | The warehouse covers 3 hectares
Router | Its IP is 10.0.0.1 | The IP of the router is 10.0.0.7
Ada | Ada's manager is Bob | Ada reports to Carol
Bridge | The bridge is 300 m long | The bridge is 450 m long
Ada | Ada is 36 years old | Ada is 41 years old
Cache | The TTL is 5 minutes | The TTL is 600 s
Paris | Paris is the capital of France | The capital of France is Lyon
Site | The site is hosted on AWS | The site is hosted on Azure
Ada | Ada is married | Ada is single
Login | SSO is required | SSO is optional
Store | The store opens at 9 am | The store opens at 10 am
Pump | The pump was installed in 2015 | The pump was installed in 2018
Hydra | The release date is 1 June 2025 | Hydra's release date: 2025-07-01
Server | The server has 16 GB of RAM | The server has 32 GB of RAM
Ada | Ada doesn't drive | Ada drives
Api | The API uses OAuth | The API does not use OAuth
Zoe | Zoe's favourite food is sushi | Zoe's favorite food is pizza
Zoe | Zoe is from Spain | Zoe is from Chile
Acme | Acme has 200 employees | Acme has 350 employees
Acme | Acme is headquartered in Oslo | Acme's headquarters are in Bergen
Job | The job runs every 5 minutes | The job runs every 10 minutes
Job | The job runs at 02:00 | The job runs at 03:00
Gateway | Logging is off | Logging is on
Tom | Tom moved to Madrid | Tom lives in Porto
"""

AGREEING: Final = """
Engine | The weight is 15 t | Its weight is 15000 kg
Engine | Engine weighs 15 t | The weight of Engine is 15,000 kg
Billing | The timeout is 30 s | Billing's timeout is 30000 ms
Billing | The timeout is 30 s | The timeout is 30 seconds
Billing | The timeout is 30 s | The timeout is configurable
Billing | The interval is 1.5 h | Its interval is 90 minutes
Billing | Max memory = 4 GB | The max memory is 4096 MB
Depot | The distance to Lyon is 5 km | The distance to Lyon is 5000 m
Depot | The distance to Lyon is about 5 km | The distance to Lyon is 4.8 km
Lyon | The population is 1.5 million | Its population is 1,500,000
Gateway | Gateway listens on 8080 | Gateway's port is 8080
Gateway | The port is 8080 | The admin port is 9090
Gateway | Gateway listens on port 8080 | Gateway listens on port 9090 for metrics
Gateway | Gateway uses PostgreSQL | Gateway uses Redis
Gateway | Gateway runs Python 3 | Gateway runs Python 3.11
Gateway | Gateway is written in Rust | Gateway is written in Rust and C
Gateway | The license is MIT | The license is the MIT License
Gateway | The owner is Ada | The owner is on vacation
Acme | Acme was founded in 1998 | Acme was founded in Berlin
Acme | Acme was founded in 1998 | Acme was founded in May 1998
Acme | Jane Roe is the CEO of Acme | Acme's CEO is Jane
Acme | Bob is an engineer at Acme | Jane is an engineer at Acme
Ada | Ada was born in 1815 | Ada was born on 10 December 1815
Ada | Ada was born in 1815 | Ada was born in London
Ada | Ada moved to Berlin | Ada lives in Berlin
Ada | Ada lived in Rome | Ada lives in Berlin
Ada | Ada moved to Berlin in 2019 | Ada moved to Rome in 2023
Ada | Ada is online | Ada is not married
Ada | Ada visited Rome | Ada lives in Berlin
Ada | Ada works at Google | Ada works in London
Ada | Ada knows Bob | Ada knows Eve
Ada | Ada has two cats | Ada has two cats named Tom and Jo
Ada | Ada has two brothers | Ada has three sisters
Ada | Ada likes tea | Ada doesn't like coffee
Ada | Ada speaks French | Ada speaks German
Ada | Ada's birthday is 10 December | Ada's birthday is on December 10
Editor | Dark mode is enabled | Dark mode is turned on
Editor | Dark mode is enabled | Notifications are disabled
Billing | The server is online | The backup server is offline
Billing | The server is up | The server is online
Gateway | Version 1.0 was released in 2019 | Version 2.0 was released in 2020
Hydra | The meeting is on Monday | The meeting is at 10 am
Hydra | The start date is 2024-05-01 | The start date is 1 May 2024
Pump | The price is 1,000 EUR | The price is 1000 EUR
Warehouse | The warehouse is in Oslo | The warehouse is in Norway
Cable | The cable is 2 m long | The cable is 200 cm long
Cache | The TTL is 5 minutes | The TTL is 300 s
Cache | The size limit is 1 GB | The size limit is 1000 MB
Ada | Ada's manager is Bob | Ada's mentor is Carol
Ada | Ada reports to Bob | Ada's manager is Bob
Zoe | Zoe has a cat | Zoe has a dog
Zoe | Zoe loves sushi | Zoe loves pizza
Zoe | Zoe went to Spain in 2020 | Zoe went to Chile in 2021
Zoe | Zoe started painting in 2019 | Zoe started a new job in 2022
Zoe | Zoe's birthday is in May | Zoe's birthday is May 4
Zoe | Zoe's painting is of a sunset | Zoe's painting is on the wall
Site | The site is online | The site is in English
Acme | Acme opened an office in Rome | Acme opened an office in Lyon
Acme | Acme was founded by Jane | Acme was founded in 1998
Acme | Acme's products are good | Acme's products are expensive
Job | The job starts in March | The job starts on Monday
Job | The contract ends in 2027 | The trial ends in 2026
Tom | Tom is not tired | Tom is happy
Tom | Tom never drinks beer | Tom never drinks wine
Api | The API listens on 443 | The debug server listens on 9229
Api | The API costs $5 per month | The API costs $60 per year
Disk | The disk holds 2 TB | The disk holds 2000 GB
Disk | The disk is 80 % full | The disk is 2 TB
Api | The default limit is 10 | The default region is eu-west
"""

Pair = tuple[str, str, str]


def pairs(text: str) -> list[Pair]:
    rows = [[part.strip() for part in line.split("|")] for line in text.strip().splitlines()]
    return [(name, one, other) for name, one, other in rows]


def reported(pair: Pair) -> bool:
    """Whether the pair is found in either order, and each fact by the cues of the other."""
    name, *texts = pair
    found = {bool(disagreements(name, {"1": one, "2": other})) for one, other in (texts, texts[::-1])}
    assert len(found) == 1, pair
    if found == {True}:
        for text, against in (texts, texts[::-1]):
            assert any(cue in against.lower() for cue in cues(name, text)), (text, against)
    return found == {True}


def test_most_true_contradictions_are_found() -> None:
    true = pairs(CONTRADICTING)
    assert len(true) == 60
    missed = [pair for pair in true if not reported(pair)]
    assert len(missed) <= 4, missed


def test_no_agreeing_pair_is_reported() -> None:
    agreeing = pairs(AGREEING)
    assert len(agreeing) == 69
    assert [pair for pair in agreeing if reported(pair)] == []
