"""Language features for Python: the services of its modules."""

from . import checks, completion, navigation

__all__ = ["checks", "completion", "navigation"]
