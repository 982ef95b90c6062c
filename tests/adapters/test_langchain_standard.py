"""LangChain's own tests of retrievers; ``python -m tests.clients.frameworks langchain`` installs them."""

# pyright: basic, reportMissingImports=false
from typing import Any

import pytest

pytest.importorskip("langchain_tests", reason="run by `python -m tests.clients.frameworks langchain`")
from langchain_tests.integration_tests import RetrieversIntegrationTests

from legacymind import Mind
from legacymind.adapters.langchain import MindRetriever
from legacymind.adapters.loops import HomeLoop


@pytest.mark.anyio
class TestMindRetriever(RetrieversIntegrationTests):
    """All six of them."""

    @pytest.fixture(autouse=True)
    def _filled(self, own_mind: Mind) -> None:
        texts = ["The kettle whistles.", "A kettle of copper.", "Ada owns a kettle.", "The kettle leaks."]
        HomeLoop().wait(own_mind.think_batch([{"content": text} for text in texts]))
        self._mind = own_mind

    @property
    def retriever_constructor(self) -> type[MindRetriever]:
        """The class under test."""
        return MindRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        """Its arguments."""
        return {"mind": self._mind}

    @property
    def retriever_query_example(self) -> str:
        """A query for which there are four documents."""
        return "kettle"
