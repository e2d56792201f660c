import os

import pytest

from companion import workspace


@pytest.fixture
def root(tmp_path, monkeypatch):
    """An empty workspace."""
    monkeypatch.setattr(workspace, "_root", str(tmp_path))
    return tmp_path


@pytest.fixture
def write(root):
    """A function that writes a file with a path from the root."""

    def write_file(path, content=""):
        target = root / path
        os.makedirs(target.parent, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write_file
