"""The links of a folder."""

import os

import pytest

from companion import links
from companion.protocol import Cancelled, ServiceError


class Context:
    def __init__(self, is_cancelled=False):
        self.is_cancelled = is_cancelled

    def check(self):
        if self.is_cancelled:
            raise Cancelled()


def found(folder):
    result = links.links_of({"folder": folder}, Context())
    rows = [(one["path"], one["isDirectory"], one["isFollowed"]) for one in result["links"]]
    return result["isLink"], sorted(rows)


def test_tells_links_that_stay_in_the_folder_from_others(root, write):
    write("chosen/inner/deep.txt")
    write("elsewhere/other.txt")
    for target, link in (
        ("../", "chosen/up"),
        (".", "chosen/self"),
        ("nowhere", "chosen/broken"),
        ("round", "chosen/round"),
        ("inner", "chosen/again"),
        ("inner/deep.txt", "chosen/file"),
        (str(root / "elsewhere"), "chosen/inner/out"),
        ("../elsewhere/other.txt", "chosen/text"),
        ("..", "chosen/inner/above"),
    ):
        os.symlink(target, root / link)
    is_link, rows = found("chosen")
    assert not is_link
    # Below a link that is followed, paths lead through it.
    assert [row for row in rows if row[0] not in ("chosen/broken", "chosen/round")] == [
        ("chosen/again", True, True),
        ("chosen/again/above", True, False),
        ("chosen/again/out", True, False),
        ("chosen/file", False, True),
        ("chosen/inner/above", True, False),
        ("chosen/inner/out", True, False),
        ("chosen/self", True, False),
        ("chosen/text", False, False),
        ("chosen/up", True, False),
    ]


def test_says_that_the_folder_is_a_link_and_looks_into_it(root, write):
    write("real/inner/deep.txt")
    os.symlink("real", root / "chosen")
    os.symlink("inner", root / "real" / "again")
    assert found("chosen") == (True, [("chosen/again", True, True)])
    assert found("") == (
        False,
        [("chosen", True, True), ("chosen/again", True, True), ("real/again", True, True)],
    )


def test_ends_for_links_that_lead_to_each_other(root, write):
    write("a/one.txt")
    write("b/two.txt")
    os.symlink("../b", root / "a" / "b")
    os.symlink("../a", root / "b" / "a")
    assert found("") == (
        False,
        [("a/b", True, True), ("a/b/a", True, False), ("b/a", True, True), ("b/a/b", True, False)],
    )


def test_leaves_out_names_that_are_no_text(root):
    os.symlink("/", os.path.join(os.fsencode(root), b"bad\xff"))
    assert found("") == (False, [])


def test_has_limits(root, write, monkeypatch):
    write("a/b/c.txt")
    os.symlink("a", root / "x")
    os.symlink("a", root / "y")
    for name in ("MAX_LINKS", "MAX_ENTRIES", "MAX_DEPTH"):
        with monkeypatch.context() as patched:
            patched.setattr(links, name, 1)
            with pytest.raises(ServiceError):
                found("")
    with pytest.raises(Cancelled):
        links.links_of({"folder": ""}, Context(is_cancelled=True))
