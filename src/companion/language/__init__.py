"""Language features for Python: the services of its modules."""

from . import language_checks, language_completion, language_navigation

__all__ = ["language_checks", "language_completion", "language_navigation"]
