"""The pages load every stylesheet, in an order that later ones can rely on."""

import re

from legacymind import files


def test_every_stylesheet_belongs_to_a_page_and_every_page_to_stylesheets_that_exist() -> None:
    imported = re.findall(r'^@import "style/([a-z]+)\.css";$', files.text("explorer", "style.css"), re.M)
    linked = re.findall(r'href="/explorer/style/([a-z]+)\.css"', files.text("explorer", "graphiql.html"))
    stored = {file.stem for file in files.path("explorer", "style").glob("*.css")}
    assert {*imported, *linked} == stored
    # What views share comes before the views, so that they can change it.
    assert imported[:3] == ["base", "frame", "parts"]
