"""Constant branches that stay branches in one entry."""
