"""Runs the cells of a copy of a notebook in a kernel of their own. It runs by itself, in the kernel of a session.

Every server with IPython's kernel has what it needs: ipykernel requires jupyter_client. The executed notebook is the
only record of a run: its metadata has the state, and it is written after each cell, so that an interrupted run keeps
what it has.
"""
