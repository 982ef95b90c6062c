"""Amounts, times and states in other spellings agree, and each true contradiction in other words is found."""

from itertools import product

import pytest

from legacymind.text.claims.quantities import amounts, can_be_same
from legacymind.text.claims.values import agree
from tests.text.claims.test_pairs import Pair, pairs, reported

AGREEING = """
Truck | The payload is 7.5 t | Its payload is 7500 kg
Trail | The trail is 12 km long | The trail is 12000 m long
Trail | The length of the trail is 3 miles | The trail's length is 4.83 km
Lift | The maximum load is 1 t | The maximum load is 2205 lb
Kiln | The firing time is 1.5 h | The firing time is 90 minutes
Kiln | The firing time is 1h30 | The firing time is 90 min
Kiln | The cooling time is 2 days | The cooling time is 48 hours
Kiln | The cooling time is 1 h 30 min | The cooling time is 90 minutes
Nas | The quota is 2 GB | The quota is 2000 MB
Nas | The quota is 1 GiB | The quota is 1024 MiB
Nas | The quota is 1 GiB | The quota is 1073741824 bytes
Nas | The cache size is 512 KB | The cache size is 0.5 MB
Library | The library has 1,000 books | The library has 1000 books
Library | The library has two floors | The library has 2 floors
Library | The library has twenty rooms | The library has 20 rooms
Library | The library has a dozen rooms | The library has 12 rooms
Library | The library's capacity is 1k | The library's capacity is 1000
Library | The library's capacity is 2.5k | The capacity of the library is 2500
Shop | The discount is 50% | The discount is 0.5
Shop | The discount is 50 % | The discount is 50 percent
Shop | The discount is 50% | The discount is half
Shop | The VAT rate is 7.7 % | The VAT rate is 0.077
Shop | The rent is $1.2M | The rent is $1,200,000
Shop | The rent is $1.2M | The rent is 1.2 million dollars
Shop | The rent is $450 | The rent is 450 USD
Shop | The budget is €3k | The budget is 3,000 euros
Shop | The budget is £2m | The budget is 2,000,000 pounds
Fridge | The temperature is 10 °C | The temperature is 50 °F
Fridge | The temperature is 4°C | The temperature is 4 degrees Celsius
Fridge | The temperature is -18 °C | The temperature is 0 °F
Fridge | The temperature is 20 °C | The temperature is 293 K
Fridge | The power is 5 kW | The power is 5000 W
Fridge | The power is 1.5 kW | The power is 1500 watts
Train | The top speed is 100 km/h | The top speed is 27.8 m/s
Train | The top speed is 62 mph | The top speed is 100 km/h
Train | The top speed is 200 kph | The top speed is 200 km/h
Bakery | The bakery opens at noon | The bakery opens at 12:00
Bakery | The bakery opens at 3 pm | The bakery opens at 15:00
Bakery | The bakery closes at midnight | The bakery closes at 00:00
Bakery | The bakery closes at 6:30 PM | The bakery closes at 18:30
Bakery | The opening time is 7 a.m. | The opening time is 07:00
Bakery | The opening time is 7 | The opening time is 7 am
Tank | The volume is 2 m3 | The volume is 2000 liters
Tank | The volume is 500 ml | The volume is 0.5 l
Tank | The volume is 1 gallon | The volume is 3.79 l
Tank | The pressure is 2 bar | The pressure is 200 kPa
Field | The area is 1 ha | The area is 10,000 m²
Field | The area is 2 acres | The area is 0.81 hectares
Field | The area is 2 km² | The area is 200 hectares
Board | The voltage is 3.3 V | The voltage is 3300 mV
Board | The current is 500 mA | The current is 0.5 A
Board | The clock speed is 1.2 GHz | The clock speed is 1200 MHz
Board | The throughput is 1 Gbit/s | The throughput is 1000 Mbps
Board | The throughput is 100 MB/s | The throughput is 800 Mbit/s
Board | The energy use is 1 kWh | The energy use is 3.6 MJ
Pool | The pool is 6 feet deep | The pool is 1.83 m deep
Pool | The pool is 6'2" deep | The pool is 188 cm deep
Pool | The depth is 5 ft 10 in | The depth is 1.78 m
Retry | The retry interval is 250ms | The retry interval is 0.25 s
Retry | The retry interval is one minute | The retry interval is 60 s
Retry | The limit is 60 requests per minute | The limit is 1 request per second
Retry | The retention is 1 year | The retention is 365 days
Retry | The retention is 2 weeks | The retention is 14 days
Retry | The ratio is 1/4 | The ratio is 25 %
Retry | The ratio is 1/2 | The ratio is 0.5
Retry | The limit is 1e6 | The limit is 1,000,000
Retry | The limit is 1_000_000 | The limit is 1000000
Retry | The limit is 1 000 000 | The limit is 1 million
Retry | The score is 3,5 | The score is 3.5
Retry | The price is 1.000,50 EUR | The price is 1,000.50 EUR
Fair | The deadline is 5 May 2026 | The deadline is 2026-05-05
Fair | The deadline is 05/12/2026 | The deadline is 5 December 2026
Fair | The deadline is the 3rd of June | The deadline is June 3
Fair | The fair has one hundred stands | The fair has 100 stands
Fair | The fair has twenty-five stands | The fair has 25 stands
Fair | The fair has two thousand visitors | The fair has 2,000 visitors
Sail | The wind speed is 10 knots | The wind speed is 18.5 km/h
Sail | The mast weighs 40 kg | The mast weighs 88 lbs
Sail | The mast weighs 0.5 kg | The mast weighs 500 grams
Screen | The size is 27" | The size is 27 inches
Screen | The size is 27 inches | The size is 68.6 cm
Screen | The width is 1.80m | The width is 180cm
Wifi | The frequency is 2.4 GHz | The frequency is 2400 MHz
Lamp | Lamp is enabled | Lamp is turned on
Lamp | The shutter is open | The shutter is opened
Lamp | The version is v2.1 | The version is 2.1
Lamp | The version is 2.1 | The version is 2.1.0
Ines | Ines lives in Ghent | Ines resides in Ghent, Belgium
Ines | Ines moved to Ghent | Ines is based in Ghent
Ines | Ines is 1.8 m tall | Ines is 180 cm tall
Ines | Ines is two years old | Ines is 24 months old
Ines | The boss of Ines is Omar | Omar is Ines's boss
Goat | The goat weighs 60 kg | Its weight is 132 lbs
Goat | Goat likes hay | Goat loves hay
Goat | Goat is taller than Sheep | Goat is bigger than Sheep
Goat | Goat likes hay | Goat hates rain
Goat | Goat is under observation | Goat is under observation
Goat | Goat eats before dawn | Goat sleeps after dawn
Goat | Goat has no horns | Goat has two ears
Goat | Goat has more kids than Sheep | Goat has less milk than Cow
Silo | The capacity is 3 t | The capacity is at least 2.5 t
Silo | The capacity is over 3 t | The capacity is 3500 kg
Silo | The silo was built before 1990 | The silo was built in 1985
Silo | The silo was built after 1980 | The silo was built before 1990
Silo | The silo opens at 8 | The silo opens at 8:00
Silo | The silo opens at 8 o'clock | The silo opens at 08:00
Silo | The silo opens at noon | The silo opens at 12 pm
Silo | The silo closes before 6 pm | The silo closes at 17:30
Silo | The address is 5 Elm Street | The address is 5 Elm Street, Leeds
Silo | Silo is 12 m high | Silo is 39 feet high
Silo | The lock is open | The lock is heavy
Silo | The rent is 12k per year | The rent is 1000 per month
Silo | The rent is €1,000 per month | The rent is €12,000 per year
Silo | The temperature is 21 °C | The humidity is 40 %
Silo | The temperature is 21 degrees | The temperature is 70 °F
Silo | The moisture is 14% | The moisture is 0.14
Silo | The moisture is about 14% | The moisture is 14.5 %
Api | The timeout is 5m | The timeout is 300 s
Api | The timeout is 5m | The timeout is 5 minutes
Api | The timeout is 500ms | The timeout is half a second
Api | The payload limit is 10MB | The payload limit is 10 MiB
Api | The limit is 1.5k | The limit is 1,500 requests
Api | The rate limit is 120/min | The rate limit is 2 per second
Api | The rate limit is 10 req/s | The rate limit is 600 req/min
Api | Api uses Redis 7 | Api uses Redis 7.2
Api | Api requires Node 18 | Api requires Python 3.11
Api | Api has four workers | Api has 4 workers
Api | Api has a hundred clients | Api has 100 clients
Api | Api is incompatible with IE | Api is compatible with Firefox
Api | Api is unstable | Api is unstable on Windows
Api | Api allows GET | Api forbids DELETE
Api | Api includes logging | Api excludes tracing
Api | Logging: on | Logging is enabled
Api | Debug: false | Debug mode is off
Api | Verbose = yes | Verbose is true
Api | Api binds to port 8000 | Api listens on 8000
Api | Api binds to port 8000 | Api binds to port 9000 for metrics
Rosa | Rosa is employed by Bosch | Rosa works for Bosch
Rosa | Rosa is employed by Bosch | Rosa works in Turin
Rosa | Rosa retired in 2020 | Rosa retired in May 2020
Rosa | Rosa died in 1990 | Rosa died in Rome
Rosa | Rosa has three brothers | Rosa has no sisters
Rosa | Rosa has a car | Rosa lacks a bike
Rosa | Rosa's birthday is 4/5/1980 | Rosa's birthday is 5 April 1980
Rosa | Rosa's birthday is 4.5.1980 | Rosa's birthday is 4 May 1980
Rosa | Rosa weighs 11 stone | Rosa weighs 70 kg
Rosa | Rosa is 5'6" tall | Rosa is 168 cm tall
Rosa | Rosa is unhappy | Rosa is unwell
Rosa | Rosa earns £50k | Rosa's salary is £50,000
Rosa | The salary is $100k | The salary is 100,000 USD
Rosa | The salary is 100K dollars | The salary is $100,000 a year
Rosa | Rosa leaves at 7 | Rosa arrives at 8
Rosa | Rosa runs 5 km every day | Rosa runs 3 miles every day
Rosa | Rosa's flight departs at 18:05 | Rosa's flight departs at 6:05 pm
Disk | The speed is 7200 rpm | The speed is 120 revolutions per second
Disk | The disk has 1 TB of space | The disk has 1000 GB of space
Disk | The disk is 3.5 inches wide | The disk is 8.9 cm wide
Disk | The version is 3 | The version is 3.1.4
Disk | The price is 99,90 € | The price is 99.90 EUR
Disk | The price is 1.299 EUR | The price is 1,299 EUR
Disk | The price is $2M | The price is 2 million USD
Disk | The speed is 6 Gb/s | The speed is 6 Gbps
Disk | The speed is 600 MB/s | The speed is 4.8 Gbit/s
"""

CONTRADICTING = """
Ferry | The port of registry is Malta | Port of registry = Panama
Ferry | The captain is Olu Ade | Captain: Rita Moss
Ferry | Ferry's engineer is Sven | The engineer of Ferry is Pablo
Ferry | Ferry has 3 decks | Ferry has four decks
Ferry | Ferry has three lifeboats | Ferry has five lifeboats
Ferry | The ferry leaves at 6 am | The ferry leaves at 7 am
Ferry | The ferry leaves before 9 am | The ferry leaves after 9 am
Ferry | The engine room is open | The engine room is closed
Ferry | The radar is on | The radar is off
Ferry | The radar is switched on | The radar is switched off
Ferry | The wifi is up | The wifi is down
Ferry | The Wi-Fi has been enabled | Wi-Fi is disabled
Ferry | The bridge is locked | The bridge is unlocked
Ferry | Ferry supports electric charging | Ferry does not support electric charging
Ferry | Ferry accepts dogs | Ferry doesn't accept dogs
Ferry | Ferry was built in 1987 | Ferry was built in 1992
Ferry | Ferry was launched in May 1988 | Ferry was launched in May 1989
Ferry | Ferry can carry cars | Ferry cannot carry cars
Mailer | Mailer listens on 2525 | Mailer listens on 587
Mailer | Mailer listens on port 2525 | Mailer's port = 587
Mailer | Mailer binds to port 25 | Mailer binds to port 26
Mailer | The queue length = 50 | The queue length is 80
Mailer | TLS is required | TLS is not required
Mailer | TLS = on | TLS is off
Mailer | Debug mode: true | Debug mode: false
Mailer | DKIM is enabled | DKIM isn't enabled
Mailer | Mailer depends on Redis | Mailer does not depend on Redis
Mailer | Mailer supports SMTP | Mailer no longer supports SMTP
Mailer | The retry count is five | The retry count is 3
Mailer | The sender's domain is a.example | The sender's domain is b.example
Mailer | Mailer stores logs in S3 | Mailer never stores logs in S3
Mailer | Mailer is compatible with IPv6 | Mailer is incompatible with IPv6
Mailer | Mailer runs on Debian 11 | Mailer runs on Debian 12
Mailer | The default encoding is UTF-8 | The default encoding is Latin-1
Mailer | Mailer uses port 25 | Mailer uses port 465
Nadia | Nadia lives in Porto | Nadia lives in Faro
Nadia | Nadia moved to Oslo | Nadia lives in Faro
Nadia | Nadia resides in Accra | Nadia is based in Lagos
Nadia | Nadia's home town is Faro | The home town of Nadia is Braga
Nadia | Nadia works for Siemens | Nadia is employed by Bosch
Nadia | Nadia is employed at Siemens | Nadia works at Bosch
Nadia | Nadia's address is 5 Elm Street | Nadia's address is 9 Oak Road
Nadia | Nadia has two sons | Nadia has 3 sons
Nadia | Nadia has a dog | Nadia doesn't have a dog
Nadia | Nadia has no siblings | Nadia has two siblings
Nadia | Nadia smokes | Nadia does not smoke
Nadia | Nadia likes olives | Nadia hates olives
Nadia | Nadia likes olives | Nadia dislikes olives
Nadia | Nadia is vegetarian | Nadia is not vegetarian
Nadia | Nadia speaks Finnish | Nadia doesn't speak Finnish
Nadia | Nadia's husband is Karl | Nadia's husband is Erik
Nadia | Nadia was born in Faro | Nadia was born in Braga
Nadia | Nadia graduated in 2011 | Nadia graduated in 2013
Nadia | Nadia is taller than Erik | Nadia is shorter than Erik
Nadia | Nadia's shift starts at 8 | Nadia's shift starts at 10
Fund | The interest rate is 3 % | The interest rate is 4.5 %
Fund | The interest rate is 0.03 | The interest rate is 5 %
Fund | The minimum deposit is $500 | The minimum deposit is $5,000
Fund | The minimum deposit is $1.2M | The minimum deposit is $2,000,000
Fund | The fund's headquarters are in Zurich | The fund is headquartered in Geneva
Fund | The fund was founded in 1999 | The fund was established in 2004
Fund | The fund was founded before 2000 | The fund was founded after 2005
Fund | The fund closes on 1 March | The fund closes on 1 April
Fund | The audit is on Monday | The audit is on Thursday
Fund | Trading is allowed | Trading is forbidden
Fund | The fund is profitable | The fund is unprofitable
Fund | The fund's ticker is ABX | The ticker of the fund is ACX
Oven | The oven weighs 40 kg | The oven weighs 55 kg
Oven | The temperature is 180 °C | The temperature is 200 °C
Oven | The temperature is 180 °C | The temperature is 180 °F
Oven | The top speed is 100 km/h | The top speed is 120 km/h
Oven | The top speed is 100 km/h | The top speed is 100 m/s
Oven | The power is 2 kW | The power is 3000 W
Oven | The preheating time is 10 min | The preheating time is 20 min
Oven | The oven opens at noon | The oven opens at 1 pm
Oven | The warranty lasts two years | The warranty lasts 36 months
Oven | The volume is 50 l | The volume is 0.08 m3
Goat | The goat weighs 60 kg | Its weight is 160 lbs
Goat | Goat likes hay | Goat detests hay
Goat | Goat is heavier than Sheep | Goat is lighter than Sheep
Goat | Goat eats nettles | Goat doesn't eat nettles
Goat | Goat has two kids | Goat has three kids
Goat | Goat has no kids | Goat has three kids
Goat | Goat is vaccinated | Goat is unvaccinated
Silo | The capacity is over 3 t | The capacity is 2000 kg
Silo | The silo was built before 1990 | The silo was built in 1997
Silo | The silo opens after 10 am | The silo opens at 8 am
Silo | The silo opens before 8 am | The silo opens after 9 am
Silo | The address is 5 Elm Street | The address is 44 Pine Avenue
Silo | Silo is 12 m high | Silo is 60 feet high
Silo | The hatch is open | The hatch is closed
Silo | The hatch is locked | The hatch is unlocked
Silo | The temperature is 21 °C | The temperature is 60 °F
Silo | The moisture is 14% | The moisture is 0.2
Silo | Silo's owner is Pia | The owner of Silo is Max
Silo | Silo is empty | Silo is full
Silo | Smoking is allowed | Smoking is prohibited
Api | The timeout is 5m | The timeout is 200 s
Api | The timeout is two minutes | The timeout is 90 seconds
Api | The payload limit is 10MB | The payload limit is 20 MiB
Api | The limit is 1.5k | The limit is 2,500
Api | The rate limit is 120/min | The rate limit is 5 per second
Api | Api uses Redis 7 | Api uses Redis 6
Api | Api has four workers | Api has 8 workers
Api | Api is compatible with IE | Api is incompatible with IE
Api | Api allows DELETE | Api forbids DELETE
Api | Api supports XML | Api does not support XML
Api | Api accepts JSON | Api rejects JSON
Api | Logging: on | Logging is off
Api | Debug = true | Debug = false
Api | Api binds to port 8000 | Api listens on 9000
Api | The replica is up | The replica is down
Api | The base URL = https://a.example | The base URL is https://b.example
Rosa | Rosa lives in Turin | Rosa lives in Milan
Rosa | Rosa moved to Milan | Rosa lives in Turin
Rosa | Rosa is employed by Bosch | Rosa works for Fiat
Rosa | Rosa retired in 2020 | Rosa retired in 2018
Rosa | Rosa's birthday is 4 May | Rosa's birthday is 9 May
Rosa | Rosa is 168 cm tall | Rosa is 1.75 m tall
Rosa | The salary is $100k | The salary is $120,000
Rosa | Rosa's doctor is Dr. Lin | The doctor of Rosa is Dr. Rao
Rosa | Rosa's flight departs at 18:05 | Rosa's flight departs at 7:05 pm
Rosa | Rosa can swim | Rosa can't swim
Rosa | Rosa is married | Rosa is not married
Rosa | Rosa's blood type is A | Rosa's blood type is B
Rosa | Rosa trusts Max | Rosa distrusts Max
Rosa | Rosa has a licence | Rosa has no licence
Rosa | Rosa was born in 1970 | Rosa was born in 1971
Disk | The disk has 1 TB of space | The disk has 2 TB of space
Disk | The version = 3.1 | The version is 4.0
Disk | The price is 99 € | The price is 89 €
Disk | The speed is 6 Gbps | The speed is 3 Gbps
Disk | The warranty is five years | The warranty is 36 months
Disk | The firmware is safe | The firmware is unsafe
Disk | The disk is encrypted | The disk is not encrypted
Disk | Encryption is enabled | Encryption is disabled
"""

SCALES: dict[str, dict[str, float]] = {
    "mass": {"g": 1, "kg": 1e3, "mg": 1e-3, "tonnes": 1e6, "kilograms": 1e3, "lbs": 453.592, "oz": 28.3495},
    "length": {
        "m": 1,
        "km": 1e3,
        "cm": 0.01,
        "mm": 1e-3,
        "feet": 0.3048,
        "inches": 0.0254,
        "miles": 1609.344,
    },
    "time": {"s": 1, "ms": 1e-3, "min": 60, "hours": 3600, "days": 86400, "weeks": 604800},
    "data": {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 2**20, "gigabytes": 1e9},
    "area": {"m2": 1, "km²": 1e6, "square feet": 0.0929, "hectares": 1e4, "cm2": 1e-4},
    "volume": {"l": 1, "ml": 1e-3, "cubic metres": 1e3, "m³": 1e3, "hl": 100},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "kilometers per hour": 1 / 3.6, "mph": 0.44704, "knots": 0.51444},
    "rate": {"requests per second": 1, "requests/min": 1 / 60, "requests an hour": 1 / 3600},
    "power": {"W": 1, "kW": 1e3, "kilowatts": 1e3, "GW": 1e9},
    "energy": {"J": 1, "kJ": 1e3, "kWh": 3.6e6, "Wh": 3600},
    "pressure": {"Pa": 1, "kPa": 1e3, "bar": 1e5, "hPa": 100},
    "money": {"USD": 1, "k USD": 1e3, "million dollars": 1e6},
    "share": {"%": 0.01, "percent": 0.01, "": 1},
}


@pytest.mark.parametrize("pair", pairs(AGREEING), ids=" | ".join)
def test_other_spellings_agree(pair: Pair) -> None:
    assert not reported(pair)


@pytest.mark.parametrize("pair", pairs(CONTRADICTING), ids=" | ".join)
def test_contradictions_in_other_words_are_found(pair: Pair) -> None:
    assert reported(pair)


@pytest.mark.parametrize("kind", SCALES)
def test_an_amount_agrees_with_itself_in_every_unit_and_not_with_its_double(kind: str) -> None:
    for (unit, factor), (other, another) in product(SCALES[kind].items(), repeat=2):
        for number in (0.5, 3, 40, 1700):
            written = f"{number} {unit}".lower()
            for share, same in ((1, True), (2, False)):
                value = f"{number * factor / another * share:.9g} {other}".lower()
                assert can_be_same(amounts(written), amounts(value)) is same, (written, value)
                assert can_be_same(amounts(value), amounts(written)) is same, (written, value)


@pytest.mark.parametrize(
    "spellings",
    [
        ("1500", "1,500", "1 500", "1'500", "1.5k", "1.5 thousand", "one thousand five hundred", "1.500"),
        ("25", "twenty-five", "twenty five", "25.0", "25,0"),
        ("12", "twelve", "a dozen", "one dozen"),
        ("2000000", "2m", "2 million", "two million", "2,000,000", "2e6", "2mn"),
        ("0.25", "1/4", "25 %", "25 percent", "25%"),
        ("15:00", "3 pm", "3pm", "3 p.m.", "3:00 pm", "at 15:00"),
        ("12:00", "noon", "12 pm", "12 p.m"),
        ("00:00", "midnight", "12 am"),
        ("20 °c", "20°c", "20 degrees celsius", "68 °f", "68 degrees fahrenheit", "20 celsius", "293 k"),
        ("1 h 30 min", "1h30", "90 minutes", "1.5 hours", "1 hour and 30 minutes"),
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_of_one_value_agree_with_each_other(spellings: tuple[str, ...]) -> None:
    assert [pair for pair in product(spellings, repeat=2) if not agree(*pair)] == []
