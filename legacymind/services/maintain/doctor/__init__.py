"""`legacymind doctor`: one small function for each check, listed once in ``service.CHECKS``."""
