"""Maintenance of a memory: calibration of its thresholds."""
