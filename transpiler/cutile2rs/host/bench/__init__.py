"""`cutile2rs bench`: times Python and Rust kernels side by side on a GPU, and compares what they compute.

`run.py` goes through a launches file and keeps a worker process alive, `worker.py` measures one launch after the other in it,
`arguments.py` makes a launch's arguments, `timing.py` holds the clocks, `report.py` writes table, JSON and plot.
"""
