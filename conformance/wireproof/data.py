"""Reading the suite's own data files, wherever the package lives (a zip included)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(protocol: str, name: str) -> Any:
    text = files("wireproof.vectors").joinpath(protocol).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=Loader)
