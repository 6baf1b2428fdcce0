"""What `cutile2rs record` puts into the program that it runs.

The program may have a Python of its own without cutile2rs: these files use the standard library only, and `sitecustomize.py`,
which Python imports at its start, loads them as a package by their place.
"""
