"""The pages load every stylesheet, in an order that later ones can rely on."""

import re

from legacymind import files


def test_every_stylesheet_belongs_to_a_page_and_every_page_to_stylesheets_that_exist() -> None:
    explorer, graphiql = (
        re.findall(r'href="/explorer/style/([a-z]+)\.css"', files.text("explorer", page))
        for page in ("index.html", "graphiql.html")
    )
    assert {*explorer, *graphiql} == {file.stem for file in files.path("explorer", "style").glob("*.css")}
    # What views share comes before the views, so that they can change it.
    assert explorer[:3] == ["base", "frame", "parts"]
