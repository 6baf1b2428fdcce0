"""Tests of the host side: the runtime crate, the C symbols, and the extension module. None needs a GPU."""
