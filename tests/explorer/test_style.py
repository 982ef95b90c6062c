"""The pages load every stylesheet, in an order that later ones can rely on."""

import re

from legacymind import files

LINKED = re.compile(r'href="/explorer/style/([a-z]+)\.css"')


def test_every_stylesheet_belongs_to_a_page_and_every_page_to_stylesheets_that_exist() -> None:
    linked = [
        name
        for page in ("index", "graphiql")
        for name in LINKED.findall(files.text("explorer", f"{page}.html"))
    ]
    assert set(linked) == {file.stem for file in files.path("explorer", "style").glob("*.css")}
    # What views share comes before the views, so that they can change it.
    assert linked[:3] == ["base", "frame", "parts"]
