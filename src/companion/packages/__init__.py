"""The Python packages of the environment in which the program runs.

Nothing is installed here: that happens in a terminal, where the user sees it.
"""
