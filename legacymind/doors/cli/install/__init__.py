"""The commands `install` and `uninstall`: LegacyMind in the settings of MCP clients."""
