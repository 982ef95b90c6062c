"""Keeping a memory in shape: calibration of thresholds."""
