"""Data folder of cutile2rs: see its files."""
