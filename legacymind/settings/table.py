"""All settings in one table: name, default, range, environment variable and help.

The fields of ``Settings`` are the table; ``sections`` declares them, and ``describe`` derives the ranges from
their types. The README's table is generated from it by ``scripts/update_docs.py``.
"""

from pathlib import Path
from typing import Any, Self

import platformdirs
from pydantic import (
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.dataclasses import dataclass

from legacymind.settings.describe import Sources, invalid, problems
from legacymind.settings.sections.engine import Managed
from legacymind.settings.sections.retrieval import Retrieval
from legacymind.settings.sections.runtime import Runtime
from legacymind.settings.sections.system import System


@dataclass(
    frozen=True,
    kw_only=True,
    config=ConfigDict(allow_inf_nan=False, coerce_numbers_to_str=True, extra="forbid"),
)
class Settings(Retrieval, Runtime, Managed, System):
    """The configuration of a process.

    ``load_settings`` reads it from the file and the environment; ``Settings(...)`` reads neither.
    ``dataclasses.replace`` makes a changed copy. Raises ConfigurationError that lists every invalid setting.
    """

    # The fields of the last base come first.

    @property
    def home_path(self) -> Path:
        """The folder with the data of the managed engine."""
        return Path(self.home).expanduser() if self.home else Path(platformdirs.user_data_dir("legacymind"))

    @property
    def cache_path(self) -> Path:
        """The folder for downloads."""
        if self.cache:
            return Path(self.cache).expanduser()
        return Path(platformdirs.user_cache_dir("legacymind"))

    @model_validator(mode="wrap")
    @classmethod
    def _validate(cls, values: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        """Raise one ConfigurationError for all problems; ``info.context`` holds the Sources, if any."""
        sources = info.context if isinstance(info.context, Sources) else Sources()
        faults = list(sources.problems)
        settings = None
        try:
            settings = handler(values)
        except ValidationError as error:
            faults += problems(cls, error, sources.labels)
        if settings is None or faults:
            raise invalid(faults)
        return settings
