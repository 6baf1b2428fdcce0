"""A package of two modules: the kernel, and what it shares with others."""
