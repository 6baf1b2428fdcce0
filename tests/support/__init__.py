"""Tests of the support crate: its text, that rustc takes it, and the machine code that its helpers give."""
