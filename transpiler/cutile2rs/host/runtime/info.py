"""What this package holds. In an output, this file is written by the conversion."""

PACKAGE = ""
"""The package's name."""
KERNELS: tuple[str, ...] = ()
"""The converted kernels, as `module:qualified name` of the Python original."""
REGISTERING: tuple[str, ...] = ()
"""The package's modules that register operators with TileGym's dispatcher."""
