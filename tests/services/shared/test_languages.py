"""The hint that a text is in a language that the embedding model does not know."""

from dataclasses import replace

import pytest

from legacymind import files
from legacymind.embed.models import MODELS
from legacymind.mind import Mind
from legacymind.services.shared.languages import hint, language
from tests.steps import think

FOREIGN = {
    "German": "Der Kessel ist kaputt.",
    "French": "Le serveur est en panne depuis hier.",
    "Spanish": "El servidor no responde desde ayer",
    "Italian": "Il server non risponde da ieri",
    "Portuguese": "O servidor não responde desde ontem",
    "Dutch": "De server reageert niet sinds gisteren",
    "Polish": "Serwer nie odpowiada od wczoraj",
    "Russian": "Сервер не отвечает",
    "Greek": "Ο διακομιστής δεν απαντά",
    "Arabic": "الخادم لا يستجيب",
    "Hebrew": "השרת לא מגיב",
    "Hindi": "सर्वर जवाब नहीं दे रहा",
    "Thai": "เซิร์ฟเวอร์ไม่ตอบสนอง",
    "Korean": "서버가 응답하지 않습니다",
    "Japanese": "今日は雨です",
    "Chinese": "今天下雨了",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_text_is_recognised(name: str) -> None:
    assert language(FOREIGN[name]) == name
    found = hint(FOREIGN[name], MODELS["minilm"].info)
    assert found is not None
    assert f"seems to be {name}" in found
    assert hint(FOREIGN[name], replace(MODELS["minilm"].info, model="text-embedding-3-small")) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("German", "Heute habe ich Kaffee gekocht."),
        ("German", "Die Rechnung muss bis Freitag bezahlt werden."),
        ("Spanish", "Hoy hemos cambiado la base de datos."),
        ("Spanish", "Quiero aprender alemán este año."),
    ],
)
def test_a_usual_first_thought_in_german_or_spanish_is_recognised(name: str, text: str) -> None:
    assert language(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "ok", "42", "We met at Rio de la Plata.", "TypeError: le x", "Deploy the naïve café build", "🙂 🙂"],
)
def test_other_texts_may_be_english(text: str) -> None:
    assert language(text) is None


def test_no_line_of_the_demo_is_foreign() -> None:
    assert [line for line in files.text("seed", "thoughts.jsonl").splitlines() if language(line)] == []


@pytest.mark.anyio
async def test_think_and_search_say_so_once(mind: Mind) -> None:
    german = "Der Kessel ist kaputt."
    first, second = [await think(mind, f"{german} {n}", session_id="s") for n in range(2)]
    assert "German" in first.warnings[0]
    assert second.warnings == []
    found = await mind.search("Qui est dans la maison avec nous ?")
    assert (found.note or "").startswith(("Probably nothing", "Nothing related"))
    assert "French" in (found.note or "")
