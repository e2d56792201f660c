"""The package indexes that pip or uv is configured for here, read with their Simple API (PEP 503, PEP 691)."""

import ast
import base64
import contextlib
import http.client
import netrc
import os
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

from ..protocol import ServiceError
from .environment import MAX_TEXT_LENGTH, cut, has_pip
from .programs import output_of

DEFAULT_INDEX = "https://pypi.org/simple/"
MAX_INDEXES = 5
# Seconds without data, and in total.
MAX_SILENT_SECONDS = 15.0
MAX_SECONDS = 120.0
CHUNK_BYTES = 64 * 1024
# What a chunk has at most when it is decompressed. The rest waits for the next one.
MAX_UNPACKED_BYTES = 1024 * 1024
ACCEPTED = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"


class Indexes:
    """The addresses of the indexes, and how they are reached."""

    def __init__(self, options):
        addresses = [options.get("index-url") or DEFAULT_INDEX, *options.get("extra-index-url", "").split()]
        if options.get("no-index", "").lower() in ("1", "true", "yes", "on"):
            raise ServiceError("missing", "pip is configured to use no package index.")
        self.addresses = [one.rstrip("/") + "/" for one in dict.fromkeys(addresses)][:MAX_INDEXES]
        self._trusted = set(options.get("trusted-host", "").split())
        self._certificates = options.get("cert")
        proxy = options.get("proxy")
        self._proxies = {"http": proxy, "https": proxy} if proxy else None

    def open(self, address, accept=ACCEPTED):
        """Return the response of an address. Raise a ServiceError with the reason if there is none."""
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServiceError("failed", "%s isn't on the web." % shown(address))
        host = parts.hostname + (":%d" % parts.port if parts.port else "")
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        headers = {"Accept": accept, "Accept-Encoding": "gzip", "User-Agent": "platform-workbench"}
        request = urllib.request.Request(bare, headers=headers)
        credential = _credential(parts)
        if credential is not None:
            # Not for another server, to which this one may redirect.
            request.add_unredirected_header("Authorization", credential)
        context = self._context(parts.hostname in self._trusted or host in self._trusted)
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(self._proxies),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
        ):
            opener.add_handler(handler)
        try:
            response = opener.open(request, timeout=MAX_SILENT_SECONDS)
            if response is None:
                raise ValueError("It redirects to an address that isn't on the web.")
            return response
        except urllib.error.HTTPError as error:
            error.close()
            kind = "notFound" if error.code == 404 else "failed"
            raise ServiceError(kind, "%s responded with %d." % (shown(address), error.code)) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = cut(str(getattr(error, "reason", error)), MAX_TEXT_LENGTH // 2)
            raise ServiceError("failed", "%s can't be reached: %s" % (shown(address), reason)) from None

    def _context(self, is_trusted):
        context = ssl.create_default_context(cafile=self._certificates or os.environ.get("REQUESTS_CA_BUNDLE") or None)
        if is_trusted:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        elif not self._certificates:
            # Some systems have no certificates of their own.
            with contextlib.suppress(ImportError, OSError, ssl.SSLError):
                from pip._vendor import certifi

                context.load_verify_locations(certifi.where())
        return context


def configured(context):
    """Return the indexes of `pip install`; in an environment of uv without pip, those of uv's variables."""
    if has_pip():
        command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "config", "list"]
        return Indexes(_options(output_of(command, context)))
    values = os.environ
    return Indexes(
        {
            "index-url": values.get("UV_DEFAULT_INDEX") or values.get("UV_INDEX_URL", ""),
            "extra-index-url": " ".join((values.get("UV_INDEX", ""), values.get("UV_EXTRA_INDEX_URL", ""))),
            "trusted-host": values.get("UV_INSECURE_HOST", ""),
            "cert": values.get("SSL_CERT_FILE", ""),
            "no-index": values.get("UV_NO_INDEX", ""),
        }
    )


def _options(listed):
    """Return the options of pip's list, such as `global.index-url='https://…'`. Variables come before files."""
    found = {}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if section in ("global", "install", ":env:"):
            with contextlib.suppress(ValueError, SyntaxError):
                found[section, name] = str(ast.literal_eval(value))
    options = {}
    for wanted in ("global", "install", ":env:"):
        options.update({name: value for (section, name), value in found.items() if section == wanted})
    return options


def _credential(parts):
    name, password = parts.username, parts.password
    if name is None:
        with contextlib.suppress(OSError, netrc.NetrcParseError, TypeError):
            name, _, password = netrc.netrc().authenticators(parts.hostname)
    if not name:
        return None
    pair = "%s:%s" % (urllib.parse.unquote(name), urllib.parse.unquote(password or ""))
    return "Basic " + base64.b64encode(pair.encode()).decode()


def shown(address):
    """Return an address for messages, without its credential."""
    parts = urllib.parse.urlsplit(address)
    return cut(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl(), 200)


def chunks(response, address, max_bytes, context):
    """Yield the content of a response, decompressed. Raise a ServiceError if there is more, or if it takes too long."""
    end = time.monotonic() + MAX_SECONDS
    is_packed = response.headers.get("Content-Encoding", "") == "gzip"
    unpacker = zlib.decompressobj(31) if is_packed else None
    size = 0
    with response:
        while True:
            context.check()
            try:
                data = rest = response.read(CHUNK_BYTES)
                if unpacker is not None:
                    data = unpacker.decompress(unpacker.unconsumed_tail + rest, MAX_UNPACKED_BYTES)
            except (OSError, ValueError, zlib.error, http.client.HTTPException) as error:
                raise ServiceError("failed", "%s didn't respond in full: %s" % (shown(address), error)) from None
            size += len(data)
            if size > max_bytes:
                raise ServiceError("tooLarge", "%s responded with too much." % shown(address))
            if time.monotonic() > end:
                raise ServiceError("slow", "%s didn't respond in time." % shown(address))
            if data:
                yield data
            elif not rest:
                return
