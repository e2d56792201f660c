"""Search in all files of the workspace, by a process that can be ended."""

import importlib.util
import json
import subprocess
import sys
import threading

from . import workspace
from .protocol import ServiceError, service

# Seconds without any output of the program, and in total.
MAX_SILENCE = 20.0
MAX_SECONDS = 300.0


@service("search.text")
def search_text(parameters, context):
    return _run("search.text", parameters, context)


@service("search.files")
def search_files(parameters, context):
    return _run("search.files", parameters, context)


def _run(operation, parameters, context):
    if not sys.executable:
        raise ServiceError("unsupported", "Python doesn't know its own program.")
    name = __package__ + ".search_program"
    source = importlib.util.find_spec(name).loader.get_source(name)
    # Isolated, because nothing in the workspace is to be imported.
    command = [sys.executable, "-I", "-S", "-c", source]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=workspace.root()
        )
    except OSError as error:
        raise ServiceError("unsupported", "The search couldn't be started: %s" % error.strerror) from None
    context.on_cancel(process.kill)
    total = threading.Timer(MAX_SECONDS, process.kill)
    total.daemon = True
    total.start()
    try:
        request = {"operation": operation, "root": workspace.root(), "parameters": parameters}
        return _result(process, json.dumps(request).encode("ascii"), context)
    finally:
        total.cancel()
        process.kill()
        process.stdout.close()
        process.wait()


def _result(process, request, context):
    """Push what the program finds, and return its result."""
    try:
        with process.stdin as stream:
            stream.write(request)
    except OSError:
        # It ended, and says nothing.
        pass
    while True:
        silence = threading.Timer(MAX_SILENCE, process.kill)
        silence.daemon = True
        silence.start()
        line = process.stdout.readline()
        silence.cancel()
        context.check()
        if not line:
            raise ServiceError("tooSlow", "The search takes too long, or was ended on the server.")
        message = json.loads(line.decode("ascii"))
        if message["type"] == "result":
            return message["result"]
        if message["type"] == "failure":
            raise ServiceError(message["kind"], message["message"])
        context.push({"items": message["items"], "searched": message["searched"]})
