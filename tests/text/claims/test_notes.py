"""Facts as agents note them: what only differs in precision, form or kind is no contradiction."""

import pytest

from tests.text.claims.test_pairs import Pair, pairs, reported

AGREEING = """
Api | billing-api listens on 0.0.0.0:8080 | billing-api listens on port 8080
Api | Api listens on localhost:8080 | Api listens on 8080
Api | The base url is www.kit.org | The base url is https://kit.org
Api | The base url is http://kit.org/ | The base url is https://kit.org
Api | The version is 2.x | The version is 2.4
Api | The version is 2.* | The version is 2.4.1
Api | The uptime is 99.9% | The uptime is three nines
Api | The price is $20 | The price is $24 with tax
Api | The timeout is 30 s | The timeout is 60 s for uploads
Api | The timeout is 30 s when idle | The timeout is 60 s
Api | The database is Postgres | The database is PostgreSQL 15
Api | The default database is Postgres | The default database is PostgreSQL
Api | The status is OK | The status is healthy
Api | The status is green | The status is fine
Marit | Marit lives in Bergen | Marit lives in Norway
Marit | Marit lives in Austin | Marit lives in Texas
Marit | Marit lives in Texas | Marit lives in the United States
Marit | Marit lives in Norway | Marit lives in Europe
Marit | Marit was born in Graz | Marit was born in Austria
Acme | Acme Ltd is headquartered in Munich | Acme Ltd is headquartered in München
Acme | Acme is based in Lyon | Acme is based in France
Acme | Acme is based in Kiev | Acme is based in Kyiv
Acme | Acme has 120 employees | Acme has over 100 employees
Acme | Acme has 120 employees | Acme has about 125 employees
Acme | Acme has at least 100 employees | Acme has 250 employees
Acme | The founder of Acme is Ana | Bo is the founder of Acme
Acme | Acme was founded by Ana | Acme was founded by Bo and Ana
Acme | Acme was founded by Ana and Bo | Acme was founded by Bo
Acme | The deadline is Q2 2025 | The deadline is June 2025
Acme | The deadline is Q2 2025 | The deadline is 3 May 2025
User | User's timezone is CET | User's timezone is UTC+1
User | User's timezone is Europe/Oslo | User's timezone is CET
User | User's time zone is GMT | User's time zone is UTC
User | User's timezone is UTC+1 | User's timezone is GMT+1
User | User's timezone is UTC+01:00 | User's timezone is UTC+1
User | User's dog is called Rex | User's dog is a labrador
Kit | Kit's cat is Milo | Kit's cat is black
Kit | Kit's car is a Volvo | Kit's car is red
Kit | Kit's wife is Ana | Kit's wife is a lawyer
Kit | Kit's son is Max | Kit's son is Leo
Kit | Kit's daughter is Ida | Kit's daughter is Eva
Kit | Kit's dog is Rex | Kit's dog is Bella
Kit | Kit's colleague is Tom | Kit's colleague is Ann
Kit | Kit's favourite food is sushi | Kit's favourite food is Japanese
Kit | Kit's office is in Room 4 | Kit's office is in Building B
Kit | Kit starts after 9 | Kit starts after 8
api | api listens on port 8080 in staging | api listens on port 80 in production
api | The flag is enabled in staging | The flag is disabled in production
api | The flag is on by default | The flag is off
api | api has a TTL of 5 minutes | The TTL of api is 300 s
api | api has a TTL of 5 minutes | api has a timeout of 5 s
Ben | Ben's phone number is 555-0142 | Ben's phone number is 555 0142
Sofia | Sofia's husband is Marcus Reed | Sofia is married to Marcus
Falcon | Falcon is due on 2025-03-12 | Falcon's deadline is 12 March 2025
firewall | The firewall blocks port 22 | The firewall allows port 80
nightly | The unit test passed | The load test failed
"""

CONTRADICTING = """
Falcon | Project Falcon is active | Project Falcon is cancelled
Falcon | Falcon is active | Falcon has been discontinued
Falcon | The nightly backup runs at 02:00 UTC | The nightly backup runs at 03:30 UTC
Falcon | The backup starts at 2 am CET | The backup starts at 4 am CET
Falcon | The tokens expire after 15 minutes | The tokens expire after 1 hour
Falcon | Sessions expire after 30 days | Sessions expire after 90 days
Desk | The phone number of the Desk is +47 22 33 44 55 | The Desk's phone number is +47 22 33 44 66
Tank B | Tank B was inspected in 2021 | Tank B was never inspected
Tank B | Tank B was repaired in May by Ada | Tank B was never repaired
User | User's manager is Priya | Tom is User's manager
Acme | The chairman of Acme is Jane | Bob is Acme's chairman
Standup | The standup is on Tuesdays | The standup is on Thursdays
Paint | The ratio of the mix is 2:1 | The ratio of the mix is 3:1
Screen | The aspect ratio is 16:9 | The aspect ratio is 4:3
Marit | Marit lives in Norway | Marit lives in Sweden
Marit | Marit lives in Bergen | Marit lives in Porto
Marit | Marit lives in Texas | Marit lives in Ohio
User | User's timezone is UTC+1 | User's timezone is UTC+2
User | User's timezone is Europe/Oslo | User's timezone is Asia/Tokyo
User | User's timezone is CET | User's timezone is PST
Acme | Acme has 120 employees | Acme has over 500 employees
Acme | Acme has under 100 employees | Acme has 250 employees
Acme | The deadline is Q2 2025 | The deadline is September 2025
Acme | The deadline is Q2 2025 | The deadline is Q3 2025
Api | The version is 2.x | The version is 3.1
Api | Api listens on localhost:8080 | Api listens on 9090
Api | The base url is https://kit.org | The base url is https://kat.org
Kit | Kit's wife is Ana | Kit's wife is Eva
Kit | Kit's employer is Bosch | Kit's employer is Siemens
auth | auth is at version 2.3.1 | auth runs version 2.4.0
Tom | Tom lives in Leeds | Tom's home is in Bristol
Falcon | Falcon's deadline is 12 March 2025 | Falcon is due on 2025-04-12
db01 | db01 has 64 GB of RAM | db01 has 32 GB RAM
Sofia | Sofia is married to Daniel | Sofia's husband is Marcus
dark mode | The dark mode flag is enabled in production | The dark mode flag is disabled in production
Redis | Redis has a TTL of 5 minutes | The Redis TTL is 10 minutes
gateway | The gateway times out after 30 s | The gateway times out after 60 seconds
printer | The printer is on the second floor | The printer is on the fourth floor
firewall | The firewall blocks port 22 | The firewall allows port 22
sync | The weekly sync is on Tuesday | The weekly sync takes place on Thursday
Ben | Ben's phone number is 555-0142 | Ben's phone number is 555-0198
telemetry | Telemetry is on by default | Telemetry is off by default
index | The search index is rebuilt daily | The search index is rebuilt weekly
release 5 | Release 5 succeeded | Release 5 failed
nightly | The nightly test passed | The nightly test failed
"""


@pytest.mark.parametrize("pair", pairs(AGREEING), ids=" | ".join)
def test_what_differs_in_precision_form_or_kind_agrees(pair: Pair) -> None:
    assert not reported(pair)


@pytest.mark.parametrize("pair", pairs(CONTRADICTING), ids=" | ".join)
def test_contradictions_among_them_are_found(pair: Pair) -> None:
    assert reported(pair)
