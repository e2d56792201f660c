"""Texts of other documents that the editor has not saved. jedi reads them instead of their files."""

import os

from .. import workspace
from ..protocol import ServiceError
from .document import MAX_SOURCE_CHARACTERS

MAX_TEXTS = 50

# The texts that count now, by the path of their files. Requests work with jedi one after the other.
_texts = {}
# Paths of which jedi may have parsed an unsaved text.
_parsed = set()
_is_installed = False


def texts_of(parameters):
    """Return the unsaved texts of a request by the path of their files."""
    texts = {}
    for one in parameters.get("unsaved", []):
        texts[os.path.join(workspace.root(), *one["path"].split("/"))] = one["text"]
    if len(texts) > MAX_TEXTS or sum(map(len, texts.values())) > MAX_SOURCE_CHARACTERS:
        raise ServiceError("invalid", "There are too many unsaved texts.")
    return texts


def text_at(path):
    """Return the unsaved text of a file; None if the saved one counts."""
    return _texts.get(str(path))


def use(texts):
    """Make these texts count, and forget what was parsed of their files. It may be stopped at any time."""
    if texts == _texts and _parsed == texts.keys():
        return
    if texts:
        _install()
    _parsed.update(texts)
    _texts.clear()
    from parso.cache import parser_cache

    for trees in parser_cache.values():
        for path in [one for one in trees if str(one) in _parsed]:
            trees.pop(path, None)
    _texts.update(texts)
    _parsed.intersection_update(texts)


def parse(parse_file, file_io, named):
    """Parse a file as jedi does, or its unsaved text."""
    text = None if file_io is None else text_at(file_io.path)
    if text is not None:
        # Its tree stays in memory until other texts count. On the disk, it would be taken for that of the saved text.
        named = {**named, "code": text, "cache": False, "diff_cache": True}
    return parse_file(file_io=file_io, **named)


def _install():
    """Search for names in the unsaved texts, too."""
    global _is_installed
    if _is_installed:
        return
    from jedi.file_io import FileIO

    read = FileIO.read

    def read_text(self):
        text = text_at(self.path)
        return read(self) if text is None else text.encode("utf-8", "surrogatepass")

    FileIO.read = read_text
    _is_installed = True
