"""Reductions, scans, matrix products, casts, constants and shapes."""
