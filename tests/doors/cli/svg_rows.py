"""Reading back the text of an exported SVG."""

from xml.etree import ElementTree as XML

SVG = "{http://www.w3.org/2000/svg}"
_CHARACTER, _LINE = 12.2, 24.4  # rich's units, in pixels


def picture_rows(svg: str) -> dict[int, str]:
    """Return the lines of text in the picture by number, each character in its column, but no empty lines."""
    rows: dict[int, str] = {}
    for shape in XML.fromstring(svg).iter(f"{SVG}text"):
        if "textLength" not in shape.attrib:
            continue  # the title
        text = str(shape.text).replace("\xa0", " ")
        number = round((float(shape.attrib["y"]) - 20) / _LINE)
        column = round(float(shape.attrib["x"]) / _CHARACTER)
        rows[number] = rows.get(number, "").ljust(column) + text
    return {number: row.rstrip() for number, row in rows.items() if row.strip()}
