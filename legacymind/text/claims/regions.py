"""Continents, countries and states by name: who lives in Bergen lives in Norway, too."""

from typing import Final

_NAMES: Final = (
    "africa, antarctica, asia, australasia, europe, north america, oceania, south america, scandinavia",
    "afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria, azerbaijan, "
    "bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan, bolivia, bosnia, "
    "botswana, brazil, britain, great britain, brunei, bulgaria, burkina faso, burundi, cambodia, "
    "cameroon, canada, cape verde, chad, chile, china, colombia, congo, costa rica, croatia, cuba, "
    "cyprus, czechia, czech republic, denmark, djibouti, dominican republic, east timor, ecuador, egypt, "
    "el salvador, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon, gambia, germany, "
    "ghana, greece, greenland, guatemala, guinea, guyana, haiti, honduras, hungary, iceland, india, "
    "indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan, "
    "kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, "
    "lithuania, madagascar, malawi, malaysia, maldives, mali, malta, mauritania, mauritius, mexico, "
    "moldova, mongolia, montenegro, morocco, mozambique, myanmar, namibia, nepal, netherlands, new "
    "zealand, nicaragua, niger, nigeria, north korea, north macedonia, norway, oman, pakistan, palestine, "
    "panama, papua new guinea, paraguay, peru, philippines, poland, portugal, qatar, romania, russia, "
    "rwanda, saudi arabia, senegal, serbia, sierra leone, slovakia, slovenia, somalia, south africa, "
    "south korea, south sudan, spain, sri lanka, sudan, suriname, sweden, switzerland, syria, taiwan, "
    "tajikistan, tanzania, thailand, togo, trinidad and tobago, tunisia, turkey, turkmenistan, uganda, "
    "ukraine, united arab emirates, uae, united kingdom, uk, united states, united states of america, us, "
    "usa, uruguay, uzbekistan, venezuela, vietnam, yemen, zambia, zimbabwe",
    "england, northern ireland, scotland, wales, bavaria, catalonia, flanders, wallonia, tuscany, sicily, "
    "normandy, brittany, alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, "
    "florida, georgia, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, "
    "massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, "
    "new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, "
    "rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, west virginia, "
    "wisconsin, wyoming, alberta, british columbia, manitoba, ontario, quebec, saskatchewan, nova scotia, "
    "new south wales, queensland, tasmania",
)
_SIZES: Final = {name: size for size, names in enumerate(_NAMES) for name in names.split(", ")}


def size(place: str) -> int | None:
    """0 for a continent, 1 for a country, 2 for a state, by the name in lower case; None for all else."""
    return _SIZES.get(place.removeprefix("the "))
