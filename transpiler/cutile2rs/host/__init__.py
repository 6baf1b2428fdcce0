"""The host side: the user's host modules rewritten so that they launch the Rust kernels, and tools around them.

`package.py` makes the Python package of an output, `runtime/` is what every such package carries, `record.py` and `bench/`
serve `cutile2rs record` and `cutile2rs bench`.
"""
