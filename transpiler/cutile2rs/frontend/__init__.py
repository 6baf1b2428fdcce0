"""cutile2rs."""
