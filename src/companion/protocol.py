"""Requests of the editor on the kernel's control channel: replies, pushes, and cancellation.

A request has an id, an operation, and parameters. The editor sends a request again if it has no reply yet, with the
same id: that neither repeats the work nor loses the reply. Services run in threads, never on the control channel's
loop, so that a request is accepted at any time.
"""

import asyncio
import collections
import itertools
import json
import os
import threading

REQUEST = "platform_workbench_request"
REPLY = "platform_workbench_reply"
PUSH = "platform_workbench_push"

CANCEL = "companion.cancel"
INFORMATION = "companion.information"

MAX_ID_LENGTH = 200
MAX_RUNNING = 16
# With those of cancelled requests whose work goes on, because code of the user or of a library doesn't end.
MAX_THREADS = 64
MAX_WAITING = 256
MAX_SUBSCRIPTIONS = 64
MAX_REPLY_BYTES = 16 * 1024 * 1024
MAX_PUSH_BYTES = 8 * 1024 * 1024
# Replies that were sent, in case that the editor did not get them.
MAX_KEPT_REPLIES = 64
MAX_KEPT_BYTES = 4 * 1024 * 1024
MAX_MESSAGE_LENGTH = 500


class ServiceError(Exception):
    """An expected failure. `kind` is for programs, the message for people."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Cancelled(Exception):
    """The editor no longer wants the result."""


class Service:
    """A function that performs an operation. `lane`: requests of one lane run one after the other.

    `is_immediate`: it runs on the loop of the control channel, because it takes less time than to start a thread.
    """

    def __init__(self, operation, function, lane, is_subscription, is_immediate=False):
        self.operation = operation
        self.function = function
        self.lane = lane
        self.is_subscription = is_subscription
        self.is_immediate = is_immediate


_services = {}
_companion = None
_numbers = itertools.count()


def service(operation, lane=None, is_immediate=False):
    """Register a function `(parameters, context)` that returns the result, a dictionary of JSON values."""
    return _registration(operation, lane, False, is_immediate)


def subscription(operation, lane=None, is_immediate=False):
    """Register a function like `service` does, which may push after it has returned, until it is cancelled."""
    return _registration(operation, lane, True, is_immediate)


def _registration(operation, lane, is_subscription, is_immediate):
    def register(function):
        _services[operation] = Service(operation, function, lane, is_subscription, is_immediate)
        return function

    return register


class Context:
    """A request while it is served, and a subscription until it is cancelled."""

    def __init__(self, companion, request_id, buffers=()):
        self.id = request_id
        # Later requests have higher ones.
        self.number = next(_numbers)
        # What came with the request besides its parameters, as bytes or memory views.
        self.buffers = buffers
        self._companion = companion
        self._cancelled = threading.Event()
        self._callbacks = []
        self._lock = threading.Lock()

    def push(self, value, buffers=()):
        """Send a dictionary of JSON values and buffers to the editor, in order, before the reply or after it."""
        value, size = _sendable(value)
        if size + sum(memoryview(buffer).nbytes for buffer in buffers) > MAX_PUSH_BYTES:
            raise ServiceError("tooLarge", "The message is too large.")
        self._companion.push(self.id, value, buffers)

    def cancelled(self):
        """Return whether the editor no longer wants the result."""
        return self._cancelled.is_set()

    def check(self):
        """Raise `Cancelled` if the editor no longer wants the result."""
        if self.cancelled():
            raise Cancelled

    def wait(self, seconds):
        """Wait for a time, or until the editor no longer wants the result. Return whether it does not."""
        return self._cancelled.wait(seconds)

    def on_cancel(self, callback):
        """Call a function in some thread when the request is cancelled, also if it already is."""
        with self._lock:
            if not self.cancelled():
                self._callbacks.append(callback)
                return
        callback()

    def cancel(self):
        with self._lock:
            self._cancelled.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            try:
                callback()
            except Exception:
                # The other callbacks still have something to end.
                continue


class Request:
    def __init__(self, companion, request_id, service_, parameters, buffers, route):
        self.service = service_
        self.parameters = parameters
        self.context = Context(companion, request_id, buffers)
        # The message that the next reply or push belongs to, and who sent it.
        self.route = route
        self.reply = None
        self.reply_bytes = 0
        self.pushed = 0


class Companion:
    """The requests of all windows."""

    def __init__(self, send, services=None):
        # Called on the loop of the control channel: `send(route, message type, content, buffers)`.
        self._send = send
        self._services = _services if services is None else services
        self._loop = None
        self._lock = threading.RLock()
        self._requests = collections.OrderedDict()
        self._waiting = collections.deque()
        self._lanes = set()
        # Without those that were cancelled.
        self._running = 0
        self._threads = 0
        self._is_stopped = False

    def handle(self, content, route, buffers=()):
        """Take a request on the loop of the control channel."""
        self._loop = asyncio.get_running_loop()
        request_id = content.get("id")
        operation = content.get("operation")
        parameters = content.get("parameters")
        if not isinstance(request_id, str) or not 0 < len(request_id) <= MAX_ID_LENGTH:
            return
        if not isinstance(parameters, dict):
            self._send(route, REPLY, _failure(request_id, "invalid", "The request has no parameters."), ())
        elif operation == CANCEL:
            self._cancel(parameters.get("id"))
            self._send(route, REPLY, _success(request_id, {}, 0), ())
        elif operation == INFORMATION:
            self._send(route, REPLY, _success(request_id, self._information(), 0), ())
        else:
            self._accept(request_id, self._services.get(operation), parameters, buffers, route)

    def push(self, request_id, value, buffers):
        with self._lock:
            request = self._requests.get(request_id)
            if request is None or request.context.cancelled():
                return
            request.pushed += 1
            content = {"id": request_id, "number": request.pushed, "value": value}
        self._later(lambda: self._send(request.route, PUSH, content, list(buffers)))

    def stop(self):
        """Cancel everything. Nothing is sent anymore."""
        with self._lock:
            self._is_stopped = True
            requests = list(self._requests.values())
            self._waiting.clear()
        for request in requests:
            request.context.cancel()

    def _information(self):
        with self._lock:
            subscriptions = sum(1 for one in self._requests.values() if one.service.is_subscription)
        return {"process": os.getpid(), "running": self._running, "subscriptions": subscriptions}

    def _accept(self, request_id, service_, parameters, buffers, route):
        with self._lock:
            known = self._requests.get(request_id)
            if known is not None:
                known.route = route
                if known.reply is not None:
                    self._send(route, REPLY, known.reply, ())
                return
            if service_ is None:
                self._send(route, REPLY, _failure(request_id, "unknown", "The companion has no such service."), ())
                return
            if len(self._waiting) >= MAX_WAITING:
                self._send(route, REPLY, _failure(request_id, "busy", "The companion is busy."), ())
                return
            request = Request(self, request_id, service_, parameters, buffers, route)
            self._requests[request_id] = request
            if service_.is_immediate:
                self._running += 1
                self._threads += 1
            else:
                self._waiting.append(request)
                self._start_waiting()
        if service_.is_immediate:
            self._finish(request, *self._perform(request))

    def _start_waiting(self):
        """Start what may run. A request waits for the one before it in its lane."""
        skipped = []
        while self._waiting and self._running < MAX_RUNNING and self._threads < MAX_THREADS:
            request = self._waiting.popleft()
            lane = request.service.lane
            if lane is not None and lane in self._lanes:
                skipped.append(request)
                continue
            try:
                threading.Thread(target=self._run, args=(request,), daemon=True).start()
            except (RuntimeError, MemoryError) as error:
                self._settle(request, _failure(request.context.id, "busy", _description(error)), 0)
                continue
            if lane is not None:
                self._lanes.add(lane)
            self._running += 1
            self._threads += 1
        self._waiting.extendleft(reversed(skipped))

    def _run(self, request):
        reply, size = self._perform(request)
        self._later(lambda: self._finish(request, reply, size))

    def _perform(self, request):
        context = request.context
        try:
            context.check()
            result, size = _sendable(request.service.function(request.parameters, context))
            if size > MAX_REPLY_BYTES:
                raise ServiceError("tooLarge", "The result is too large.")
            return _success(context.id, result, request.pushed), size
        except Cancelled:
            return _failure(context.id, "cancelled", "The request was cancelled."), 0
        except ServiceError as error:
            return _failure(context.id, error.kind, str(error)), 0
        except BaseException as error:
            return _failure(context.id, "failed", _description(error)), 0

    def _finish(self, request, reply, size):
        """End the work of a request."""
        with self._lock:
            self._threads -= 1
            self._lanes.discard(request.service.lane)
            # If it was cancelled meanwhile, it has a reply.
            if request.reply is None:
                self._running -= 1
                self._settle(request, reply, size)
            self._start_waiting()

    def _settle(self, request, reply, size):
        request.reply = reply
        request.reply_bytes = size
        request.parameters = {}
        request.context.buffers = ()
        self._drop_old()
        self._send(request.route, REPLY, reply, ())

    def _drop_old(self):
        """Drop the oldest replies, and the oldest subscriptions if there are too many."""
        finished = [one for one in self._requests.values() if one.reply is not None]
        lasting = [one for one in finished if self._lasts(one)]
        replied = [one for one in finished if not self._lasts(one)]
        size = sum(one.reply_bytes for one in replied)
        while len(replied) > MAX_KEPT_REPLIES or (size > MAX_KEPT_BYTES and len(replied) > 1):
            oldest = replied.pop(0)
            size -= oldest.reply_bytes
            del self._requests[oldest.context.id]
        for oldest in lasting[: max(0, len(lasting) - MAX_SUBSCRIPTIONS)]:
            oldest.context.cancel()
            del self._requests[oldest.context.id]

    def _lasts(self, request):
        is_ok = request.reply is not None and request.reply["status"] == "ok"
        return request.service.is_subscription and is_ok and not request.context.cancelled()

    def _cancel(self, request_id):
        with self._lock:
            request = self._requests.get(request_id) if isinstance(request_id, str) else None
            if request is not None and request.reply is None:
                if request in self._waiting:
                    self._waiting.remove(request)
                else:
                    # Others don't wait for its work, which may go on for any time.
                    self._running -= 1
                # Without a reply, the editor would send it again, and it might be performed then.
                self._settle(request, _failure(request_id, "cancelled", "The request was cancelled."), 0)
                self._start_waiting()
        if request is not None:
            # Callbacks may take time, and this is the loop of the control channel.
            threading.Thread(target=request.context.cancel, daemon=True).start()

    def _later(self, work):
        if self._loop is None or self._is_stopped:
            return
        try:
            self._loop.call_soon_threadsafe(work)
        except RuntimeError:
            # The kernel ends.
            return


def _success(request_id, result, pushed):
    return {"id": request_id, "status": "ok", "result": result, "pushed": pushed}


def _failure(request_id, kind, message):
    message = message[:MAX_MESSAGE_LENGTH].encode("utf-8", "replace").decode("utf-8")
    return {"id": request_id, "status": "error", "kind": kind, "message": message}


def _description(error):
    """Return the class and the message of an error. Those of the user's code may fail themselves."""
    try:
        return "%s: %s" % (type(error).__name__, error)
    except BaseException:
        return "The request failed."


def _sendable(value):
    """Return a JSON value without text that UTF-8 doesn't have, which would not be sent, and its length as JSON."""
    text = json.dumps(value)
    # A surrogate, which is a half of a character if it isn't alone.
    if "\\ud" in text:
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value, len(text)


def start(kernel):
    """Serve requests on the control channel of a kernel."""
    global _companion

    def send(route, message_type, content, buffers):
        stream, ident, parent = route
        kernel.session.send(stream, message_type, content, parent, ident=ident, buffers=list(buffers) or None)

    _companion = companion = Companion(send)

    async def handle(stream, ident, parent):
        buffers = parent.pop("buffers", ())
        companion.handle(parent["content"], (stream, ident, parent), buffers)

    kernel.control_handlers[REQUEST] = handle


def stop(handlers):
    """Serve no more requests, because another companion takes over."""
    handlers.pop(REQUEST, None)
    if _companion is not None:
        _companion.stop()
