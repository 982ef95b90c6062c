"""Maintenance of a memory: calibration, adoption, embedding anew, the curator, pruning."""
