"""The settings of each section of ``legacymind.toml``."""
