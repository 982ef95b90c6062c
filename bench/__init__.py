"""Measurements: ratios against bare statements on the same server in the same run. Never asserted."""
