"""The companion: what the editor's extension runs in a hidden kernel of a workspace.

Needs Python 3.8 or newer and ipykernel, and nothing else when it is imported. `SERVICES` lists the modules of services.
"""

SERVICES = (
    "workspace",
    "search",
    "watch",
    "links",
    "language",
    "variables.requests",
    "variables.members",
    "resources",
    "tunnel",
    "ports",
    "packages.requests",
    "packages.updates",
    "packages.index_search",
    "packages.requirements",
    "frames.requests",
)
