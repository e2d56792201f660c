"""The packages of the package index: names that contain a text, and the versions of one."""

import codecs
import email.parser
import heapq
import html.parser
import json
import re
import sys
import threading
import time
import urllib.parse

from ..protocol import ServiceError, service
from .environment import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, cut, first_of, normalized
from .index import chunks, configured, shown

MAX_FOUND = 200
MAX_VERSIONS = 200
MAX_INDEX_BYTES = 200 * 1024 * 1024
# All names together, which stay in memory.
MAX_NAMES_BYTES = 50 * 1024 * 1024
MAX_PROJECT_BYTES = 30 * 1024 * 1024
MAX_METADATA_BYTES = 1024 * 1024
MAX_FILES = 20000
# Seconds after which the names are read again, or are no longer kept in memory.
MAX_AGE_SECONDS = 1800.0
# Characters that a name and what is around it have at most, at the end of a chunk.
_MAX_ENTRY = 4096

_JSON_NAME = re.compile(rb'"name"\s{0,9}:\s{0,9}"([A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?)"')
_HTML_NAME = re.compile(rb"<[aA]\b[^<>]{0,2000}>\s{0,9}([A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?)/?\s{0,9}</[aA]")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$")
# Names that are compared with each other at once.
_MAX_RANKED = 5000
_SEPARATORS = re.compile(rb"[-_.]+")


class _Names:
    """The normalized names of an index, one a line."""

    def __init__(self, addresses, lines):
        self.addresses = addresses
        self.lines = lines
        self.read = time.monotonic()


_names = None


@service("packages.search", lane="packages.index")
def search(parameters, context):
    """List names that contain a text: first the same, then those that begin with it."""
    text = normalized(parameters["text"].strip().replace(" ", "-")).encode("ascii", "ignore")
    if not text:
        raise ServiceError("invalid", "The text has none of the characters of names.")
    indexes = configured(context)
    lines = _lines_of(indexes, context)
    found, total = _find(lines, text, context)
    return {
        "names": [cut(name.decode("ascii"), MAX_NAME_LENGTH) for name in found],
        "total": total,
        "indexes": [shown(address) for address in indexes.addresses],
    }


def _lines_of(indexes, context):
    global _names
    known = _names
    is_current = known is not None and known.addresses == indexes.addresses
    if not is_current or time.monotonic() - known.read > MAX_AGE_SECONDS:
        _names = None
        lines = bytearray(b"\n")
        for address in indexes.addresses:
            _read_names(indexes, address, lines, context)
        known = _names = _Names(indexes.addresses, bytes(lines))
        timer = threading.Timer(MAX_AGE_SECONDS, _forget, [known])
        timer.daemon = True
        timer.start()
    return known.lines


def _forget(names):
    global _names
    if _names is names:
        _names = None


def _read_names(indexes, address, lines, context):
    response = indexes.open(address)
    form = _JSON_NAME if "json" in response.headers.get("Content-Type", "") else _HTML_NAME
    rest = b""
    for data in chunks(response, address, MAX_INDEX_BYTES, context):
        data = rest + data
        end = 0
        found = []
        for match in form.finditer(data):
            found.append(match.group(1))
            end = match.end()
        if found:
            lines += _SEPARATORS.sub(b"-", b"\n".join(found)).lower() + b"\n"
        if len(lines) > MAX_NAMES_BYTES:
            raise ServiceError("tooLarge", "%s has too many packages." % shown(address))
        rest = data[max(end, len(data) - _MAX_ENTRY) :]


def _find(lines, text, context):
    """Return the best names, and the number of all."""
    best = []
    total = end = 0
    while True:
        at = lines.find(text, end)
        if at < 0:
            break
        start = lines.rfind(b"\n", 0, at) + 1
        end = lines.find(b"\n", at)
        name = lines[start:end]
        is_word = lines[at - 1 : at] in (b"\n", b"-")
        best.append((name != text, at != start, not is_word, len(name), name))
        total += 1
        if len(best) > _MAX_RANKED:
            context.check()
            best = heapq.nsmallest(2 * MAX_FOUND, best)
    rows = set(best)
    if total == len(best):
        # Several indexes can have the same name.
        total = len(rows)
    return [row[-1] for row in heapq.nsmallest(MAX_FOUND, rows)], total


@service("packages.describe", lane="packages.index")
def describe(parameters, context):
    """Describe a package: its versions that can be installed here, the newest first, and its summary."""
    name = normalized(parameters["name"])
    if not _NAME.match(name):
        raise ServiceError("invalid", "That isn't the name of a package.")
    packaging = _Packaging()
    indexes = configured(context)
    found = {}
    is_known = False
    for address in indexes.addresses:
        page = "%s%s/" % (address, name)
        try:
            files = _files_of(indexes, page, context)
        except ServiceError as error:
            if error.kind != "notFound":
                raise
            continue
        is_known = True
        for file in files[:MAX_FILES]:
            version = packaging.version_of(file, name)
            if version is not None:
                found.setdefault(version, (page, []))[1].append(file)
    if not is_known:
        raise ServiceError("notFound", "The package index has no package %s." % name)
    ordered = sorted(found, reverse=True)
    # As pip does, unless there is nothing else.
    newest = next((version for version in ordered if not version.is_prerelease), ordered[0] if ordered else None)
    return {
        "name": name,
        "versions": [cut(str(version), MAX_NAME_LENGTH) for version in ordered[:MAX_VERSIONS]],
        "newest": None if newest is None else cut(str(newest), MAX_NAME_LENGTH),
        "summary": "" if newest is None else _summary(indexes, *found[newest], context),
    }


def _files_of(indexes, page, context):
    """Return the files of a package's page as PEP 691 has them."""
    response = indexes.open(page)
    is_json = "json" in response.headers.get("Content-Type", "")
    received = chunks(response, page, MAX_PROJECT_BYTES, context)
    if not is_json:
        # In parts, between which the time is checked: a page can be made to take long.
        parser = _Links()
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for data in received:
            parser.feed(decoder.decode(data))
        return parser.files
    content = b"".join(received)
    try:
        files = json.loads(content)["files"]
        return [file for file in files if isinstance(file, dict) and isinstance(file.get("filename"), str)]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ServiceError("failed", "The response of %s can't be read." % shown(page)) from error


class _Links(html.parser.HTMLParser):
    """Reads the links of a page that isn't JSON (PEP 503)."""

    def __init__(self):
        super().__init__()
        self.files = []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        address = values.get("href")
        if tag == "a" and address and len(self.files) < MAX_FILES:
            path = urllib.parse.urlsplit(address).path
            self.files.append(
                {
                    "filename": urllib.parse.unquote(path.rpartition("/")[2]),
                    "url": address,
                    "requires-python": values.get("data-requires-python"),
                    "yanked": "data-yanked" in values,
                    "core-metadata": "data-core-metadata" in values or "data-dist-info-metadata" in values,
                }
            )


class _Packaging:
    """What knows the names of files and versions: packaging, or the copy in pip."""

    def __init__(self):
        self.parse_wheel = first_of("parse_wheel_filename", "packaging.utils", "pip._vendor.packaging.utils")
        self.parse_source = first_of("parse_sdist_filename", "packaging.utils", "pip._vendor.packaging.utils")
        self.specifiers = first_of("SpecifierSet", "packaging.specifiers", "pip._vendor.packaging.specifiers")
        self.tags = frozenset(first_of("sys_tags", "packaging.tags", "pip._vendor.packaging.tags")())
        self.python = "%d.%d.%d" % sys.version_info[:3]

    def version_of(self, file, name):
        """Return the version of a file if it can be installed here; else None."""
        if file.get("yanked"):
            return None
        try:
            required = file.get("requires-python")
            if required and not self.specifiers(required).contains(self.python, prereleases=True):
                return None
            if file["filename"].endswith(".whl"):
                project, version, _, tags = self.parse_wheel(file["filename"])
                return version if project == name and not self.tags.isdisjoint(tags) else None
            project, version = self.parse_source(file["filename"])
            return version if project == name else None
        except (ValueError, TypeError):
            return None


def _summary(indexes, page, files, context):
    """Return the summary of a version, if the index has its metadata in a file of their own (PEP 658); else nothing."""
    file = next((one for one in files if one.get("core-metadata") or one.get("dist-info-metadata")), None)
    if file is None or not isinstance(file.get("url"), str):
        return ""
    try:
        address = urllib.parse.urljoin(page, file["url"].partition("#")[0]) + ".metadata"
        content = b"".join(chunks(indexes.open(address, "*/*"), address, MAX_METADATA_BYTES, context))
    except (ServiceError, ValueError):
        return ""
    headers = email.parser.HeaderParser().parsestr(content.decode("utf-8", "replace"))
    return cut(headers.get("Summary", ""), MAX_TEXT_LENGTH)
