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

MORE_CONTRADICTING: Final = """
Tank | The capacity is 2 m3 | The capacity is 3000 litres
Tank | The tank = full | The tank = empty
Car | The car's color is red | The color of the car is blue
Car | The car has four doors | The car has two doors
Motor | The voltage is 12 V | The voltage is 24 V
Motor | The power is 5 kW | The power is 500 W
Max | Max lives in Oslo | Max moved to Bergen
Max | Max lives in Oslo | Max resides in Bergen
Max | Max works at Siemens | Max is employed by Bosch
Max | Max's wife is Ann | The wife of Max is Eve
Max | Max is vegetarian | Max is not vegetarian
Max | Max speaks Italian | Max does not speak Italian
Max | Max has 3 cats | Max has four cats
Max | Max likes coffee | Max dislikes coffee
Max | Max loves opera | Max hates opera
Max | Max likes tea | Max hates tea
Api | The API supports XML | The API does not support XML
Api | The API supports XML | XML is not supported by the API
Api | Caching is on | Caching is off
Api | The door is open | The door is closed
Api | The service is up | The service is down
Api | The service is running | The service is stopped
Api | The flag beta = true | The flag beta = false
Api | beta is true | beta is false
Api | The base URL is https://a.example | The base URL is https://b.example
Api | The API listens on 80 | The API listens on port 443
Api | The API runs on port 80 | The API's port is 8080
Api | The API uses TLS 1.2 | The API uses TLS 1.3
Api | Api was launched in 2010 | Api was launched in 2012
Api | The contract started in 2019 | The contract started in 2021
Api | The release is before May | The release is after May
Api | The backup runs before midnight | The backup runs after midnight
Api | The backup runs daily | The backup runs weekly
Api | The backup runs every hour | The backup runs every day
Api | The primary database is Postgres | The primary database is MySQL
Api | The API is written in Python | The API is written in Java
Api | The team has ten members | The team has 12 members
Api | The team lead is Ann | Bob is the team lead
Api | Ann leads the team | Bob leads the team
Api | Tests are required | Tests are optional
Api | The page is visible | The page is hidden
Api | The build is passing | The build is failing
Api | The test passed | The test failed
Api | The task is done | The task is not done
Api | The task is complete | The task is incomplete
Api | The disk is full | The disk is empty
Api | The light is green | The light is red
Api | The room holds 20 people | The room holds 30 people
Api | The distance is 5 miles | The distance is 5 km
Api | The meeting is at 10 am | The meeting is at 11 am
Api | The meeting is on Friday | The meeting is on Thursday
Api | The meeting starts at 10:00 | The meeting starts at 10:30
Api | The temperature is 20 °C | The temperature is 30 °C
Api | The max temperature is 20 °C | The max temperature is 100 °F
Api | The bandwidth is 1 Gbps | The bandwidth is 100 Mbps
Api | The price is 10 USD | The price is 20 USD
Api | The price is $10 | The price is $15
Api | The price is free | The price is $15
Api | Ann is older than Bob | Bob is older than Ann
Api | Ann arrived before Bob | Ann arrived after Bob
Api | Ann is taller than Bob | Ann is shorter than Bob
"""

MORE_AGREEING: Final = r"""
Tank | The capacity is 2 m3 | The capacity is 2000 litres
Car | The top speed is 100 km/h | Its top speed is 27.8 m/s
Car | The car's range is 300 km | The car's range is 186 miles
Oven | The temperature is 10 °C | The temperature is 50 °F
Oven | The oven's temperature is 180 C | The oven's temperature is 356 F
Disk | The cache size is 1 GiB | The cache size is 1024 MiB
Motor | The power is 5 kW | The power is 5000 W
Motor | The voltage is 12 V | The voltage is 12000 mV
Motor | The current limit is 1.5 A | The current limit is 1500 mA
Shop | The store opens at noon | The store opens at 12:00
Shop | The store closes at 3 pm | The store closes at 15:00
Shop | The store closes at midnight | The store closes at 00:00
Shop | The discount is 50% | The discount is 0.5
Shop | The discount is half | The discount is 50 %
Shop | The price is 1k EUR | The price is 1000 EUR
Shop | The budget is $1.2M | The budget is $1,200,000
Shop | The budget is 2 million dollars | The budget is $2,000,000
Shop | Shop has a dozen employees | Shop has 12 employees
Shop | Shop has twenty employees | Shop has 20 employees
Shop | Shop has fifteen rooms | Shop has 15 rooms
Job | The job runs every 60 minutes | The job runs every hour
Job | The job runs every 24 hours | The job runs every day
Job | The job runs hourly | The job runs every hour
Job | The timeout is half a minute | The timeout is 30 seconds
Job | The timeout is 1 min 30 s | The timeout is 90 s
Job | The timeout is 1m30s | The timeout is 90 s
Job | The interval is 2 weeks | The interval is 14 days
Job | The retention is 1 year | The retention is 365 days
Job | The retention is 1 year | The retention is 12 months
Job | The deadline is 2025-06-01 | The deadline is June 1, 2025
Job | The deadline is 1/6/2025 | The deadline is 1 June 2025
Job | The deadline is the 1st of June | The deadline is June 1st
Room | The area is 20 m² | The area is 20 square meters
Room | The height is 6 ft | The height is 183 cm
Room | The height is 6'2" | The height is 188 cm
Room | The width is 3,5 m | The width is 3.5 m
Room | The length is 1 000 m | The length is 1 km
Net | The bandwidth is 1 Gbps | The bandwidth is 1000 Mbps
Net | The bandwidth is 100 Mbit/s | The bandwidth is 12.5 MB/s
Net | The clock is 3 GHz | The clock is 3000 MHz
Net | The latency is 500 µs | The latency is 0.5 ms
Net | The latency is 500 us | The latency is 0.5 ms
Net | The port is 8080 | The port is TCP 8080
Net | The URL is https://example.com | The URL is https://example.com/
Net | The host is Example.com | The host is example.com
Net | The version is v2.1 | The version is 2.1
Net | The version is 2.1.0 | The version is 2.1
Net | The license is Apache 2.0 | The license is Apache-2.0
Net | The license is Apache License 2.0 | The license is Apache-2.0
Max | Max's email is MAX@EXAMPLE.ORG | Max's email is max@example.org
Max | Max's phone number is +47 123 45 678 | Max's phone number is +4712345678
Max | Max lives in NYC | Max lives in New York City
Max | Max lives in the USA | Max lives in the United States
Max | Max weighs 70 kg | Max weighs 154 lb
Max | Max is thirty years old | Max is 30 years old
Max | Max was born on May 3, 1990 | Max was born on 3rd May 1990
Max | Max's salary is 60k | Max's salary is 60,000
Max | Max's birthday is 03 May | Max's birthday is May 3rd
Job | The status is done | The status is completed
Job | Retries are on | Retries are enabled
Job | The feature is turned on | The feature is active
Job | The limit is 10,000 | The limit is 10k
Job | The limit is 1e6 | The limit is 1000000
Job | The share is one third | The share is 33 %
Job | The share is 1/4 | The share is 25 %
Job | The weight is 500 g | The weight is half a kilo
Job | The file size is 3.2 MB | The file size is 3200 kB
Job | The pressure is 1 bar | The pressure is 100 kPa
Job | The energy is 1 kWh | The energy is 3.6 MJ
Job | The angle is 180 degrees | The angle is 3.14159 rad
Ada | Ada is running a marathon | Ada is finished with the book
Ada | Ada is open to new ideas | Ada is closed off about money
Pump | The pump is running | The backup pump is stopped
Pump | The pump is at 80 % | The pump is at the east wall
Pump | The inlet is at 10 am position | The meeting is at 10 am
Ada | Ada is at work | Ada is at 10 Downing Street
Ada | Ada hates waiting | Ada likes waiting rooms with books
Ada | Ada likes tea | Ada hates coffee
Ada | Ada loves Rome | Ada likes Rome
Ada | Ada would love to ski | Ada hates cold
Job | The job runs daily | The job runs every 24 hours
Job | The report runs weekly | The cleanup runs daily
Job | The job runs every hour | The job runs every 60 minutes
Ada | Ada was employed by Bosch | Ada works at Siemens
Ada | Ada was employed by Bosch | Ada is employed by Siemens
Ada | Ada started in 2019 | Ada started running in 2021
Ada | The lease started in 2019 | The lease started in May 2019
Ada | The lease expired in 2021 | The contract expired in 2022
Site | The flag a = true | The flag b = false
Site | debug: true | verbose: false
Site | The list is empty | The inbox is full
Site | The tank is full of water | The tank is full
Site | The button is visible on hover | The button is hidden
Net | The speed is 1 Gbps | The speed is 125 MB/s
Net | The area is 2 ha | The area is 20,000 m²
Net | The area is 2 ha | The area is 5 acres
Net | The pressure is 2 bar | The pressure is 29 psi
Net | The temperature is 37 °C | The temperature is 98.6 °F
Net | The temperature is 300 K | The temperature is 27 °C
Net | The distance is 26.2 miles | The distance is 42.195 km
Net | The time is 1h 20m | The time is 80 min
Net | The time is 90 min | The time is 1.5 hours
Net | The URL is https://x.example/api | The URL is https://x.example
Net | The host is db-1.local | The host is DB-1.LOCAL
Net | The price is €5 | The price is 5 EUR
Net | The price is $1.5bn | The price is 1.5 billion dollars
Net | The size is 10x20 cm | The size is 10 x 20 cm
Net | The ratio is 16:9 | The ratio is 1.78
Net | The score is 3-2 | The score is 3:2
Net | The phone is 0123-456789 | The phone is 0123 456789
Max | Max lives in LA | Max lives in Los Angeles
Max | Max works at IBM | Max works at International Business Machines
Max | Max works for HP | Max works at Hewlett Packard
Max | Max's boss is Bob Smith | Max's boss is Mr Smith
Max | Max's title is VP | Max's title is Vice President
Max | Max is done with school | Max is not done with the report
Max | The task is done | The review is incomplete
Max | Max has a dozen eggs | Max has 12 eggs
Max | The start date is next Monday | The start date is 1 June 2025
Max | The deadline is end of May | The deadline is 31 May
Max | The deadline is Friday | The deadline is 6 June 2025
Max | The version is 3 | The version is 3.12
Max | The version is latest | The version is 3.12
Max | Max's salary is 5k a month | Max's salary is 60k a year
Max | Max's address is 5 Elm St | Max's address is 5 Elm Street
Max | Max's address is 5 Elm Street | Max's address is 5 Elm Street, Leeds
Max | The weight is 70 kg | The weight is 11 stone
"""
"""Amounts, times and names in other spellings, and two things of which each is told."""

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
    assert len(missed) <= 2, missed


def test_most_of_other_subjects_are_found() -> None:
    true = pairs(MORE_CONTRADICTING)
    assert len(true) == 61
    missed = [pair for pair in true if not reported(pair)]
    assert len(missed) <= 9, missed


def test_no_agreeing_pair_is_reported() -> None:
    agreeing = [*pairs(AGREEING), *pairs(MORE_AGREEING)]
    assert len(agreeing) == 196
    assert [pair for pair in agreeing if reported(pair)] == []
