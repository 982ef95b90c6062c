"""The ways in: each translates operations to one protocol and adds nothing."""
