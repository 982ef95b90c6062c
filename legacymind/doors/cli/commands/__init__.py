"""Commands that are no operations: each module has those of one job."""
