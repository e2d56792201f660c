"""The protocol without a kernel: messages go through a list, on a loop like that of the control channel."""

import asyncio
import threading

import pytest

from companion import protocol
from companion.protocol import Companion, Service, ServiceError

TIMEOUT = 30


class WordlessError(Exception):
    """An error of the user's code whose message fails, too."""

    def __str__(self):
        raise self


class Editor:
    """Sends requests to a companion, and collects what comes back."""

    def __init__(self):
        self.sent = []
        self.arrived = asyncio.Condition()
        self.services = {}
        self.companion = Companion(self._send, self.services)

    def serve(self, operation, function, lane=None, is_subscription=False):
        self.services[operation] = Service(operation, function, lane, is_subscription)

    def request(self, request_id, operation, parameters=None, route="route"):
        content = {"id": request_id, "operation": operation, "parameters": parameters or {}}
        self.companion.handle(content, route)

    async def until(self, condition):
        async with self.arrived:
            await asyncio.wait_for(self.arrived.wait_for(lambda: condition(self)), TIMEOUT)

    async def reply(self, request_id):
        await self.until(lambda _: self.replies(request_id))
        return self.replies(request_id)[-1]

    def replies(self, request_id):
        return [content for _, kind, content in self.sent if kind == protocol.REPLY and content["id"] == request_id]

    def pushes(self, request_id):
        return [content for _, kind, content in self.sent if kind == protocol.PUSH and content["id"] == request_id]

    def _send(self, route, kind, content, _buffers):
        self.sent.append((route, kind, content))

        async def notify():
            async with self.arrived:
                self.arrived.notify_all()

        # A reply can be sent while a request is handled.
        self.task = asyncio.get_running_loop().create_task(notify())


def run(scenario):
    """Run an asynchronous test."""

    async def whole():
        editor = Editor()
        try:
            await scenario(editor)
        finally:
            editor.companion.stop()

    asyncio.run(whole())


def test_replies_with_the_result_after_its_pushes():
    def count(parameters, context):
        for number in range(parameters["count"]):
            context.push({"number": number})
        return {"counted": parameters["count"]}

    async def scenario(editor):
        editor.serve("count", count)
        editor.request("a", "count", {"count": 3})
        reply = await editor.reply("a")
        assert reply == {"id": "a", "status": "ok", "result": {"counted": 3}, "pushed": 3}
        assert [(push["number"], push["value"]["number"]) for push in editor.pushes("a")] == [(1, 0), (2, 1), (3, 2)]
        assert editor.sent[-1][1] == protocol.REPLY

    run(scenario)


def test_repeated_request_is_performed_once_and_answered_again():
    runs = []
    gate = threading.Event()

    def work(_parameters, _context):
        runs.append(1)
        gate.wait(TIMEOUT)
        return {}

    async def scenario(editor):
        editor.serve("work", work)
        editor.request("a", "work", route="first")
        editor.request("a", "work", route="second")
        gate.set()
        await editor.reply("a")
        assert editor.sent == [("second", protocol.REPLY, editor.replies("a")[0])]
        editor.request("a", "work", route="third")
        assert len(editor.replies("a")) == 2
        assert editor.sent[-1][0] == "third"
        assert runs == [1]

    run(scenario)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ServiceError("missing", "There is no such file."), "missing", "There is no such file."),
        (ValueError("wrong"), "failed", "ValueError: wrong"),
        (SystemExit(1), "failed", "SystemExit: 1"),
        (ValueError("x" * 1000), "failed", "ValueError: " + "x" * (protocol.MAX_MESSAGE_LENGTH - 12)),
        (ValueError("a\ud800b"), "failed", "ValueError: a?b"),
        (WordlessError(), "failed", "The request failed."),
    ],
)
def test_failure_becomes_a_reply(error, kind, message):
    def fail(_parameters, _context):
        raise error

    async def scenario(editor):
        editor.serve("fail", fail)
        editor.request("a", "fail")
        assert await editor.reply("a") == {"id": "a", "status": "error", "kind": kind, "message": message}

    run(scenario)


def test_result_that_is_no_json_and_one_that_is_too_large():
    async def scenario(editor):
        editor.serve("set", lambda _parameters, _context: {"set": {1}})
        editor.serve("large", lambda _parameters, _context: {"text": "x" * protocol.MAX_REPLY_BYTES})
        editor.request("a", "set")
        assert (await editor.reply("a"))["kind"] == "failed"
        editor.request("b", "large")
        assert (await editor.reply("b"))["kind"] == "tooLarge"

    run(scenario)


def test_text_that_utf_8_does_not_have_is_replaced():
    def work(_parameters, context):
        context.push({"text": "\udc80"})
        return {"a\ud800": ["\U0001f600", "b\udfff"]}

    async def scenario(editor):
        editor.serve("work", work)
        editor.request("a", "work")
        assert (await editor.reply("a"))["result"] == {"a?": ["\U0001f600", "b?"]}
        assert [push["value"] for push in editor.pushes("a")] == [{"text": "?"}]

    run(scenario)


def test_without_a_thread_a_request_is_refused_and_the_next_one_is_served(monkeypatch):
    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    async def scenario(editor):
        editor.serve("work", lambda _parameters, _context: {}, lane="lane")
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            editor.request("a", "work")
        assert (await editor.reply("a"))["kind"] == "busy"
        editor.request("b", "work")
        assert (await editor.reply("b"))["status"] == "ok"

    run(scenario)


def test_invalid_requests():
    async def scenario(editor):
        editor.request("a", "no.such.operation")
        assert editor.replies("a")[0]["kind"] == "unknown"
        editor.companion.handle({"id": "b", "operation": "x", "parameters": []}, "route")
        assert editor.replies("b")[0]["kind"] == "invalid"
        for request_id in (None, 7, "", "x" * 201):
            editor.companion.handle({"id": request_id, "operation": "x", "parameters": {}}, "route")
        assert len(editor.sent) == 2

    run(scenario)


def test_cancelled_request_stops():
    began = threading.Event()

    def wait(_parameters, context):
        began.set()
        assert context.wait(TIMEOUT)
        context.check()

    async def scenario(editor):
        editor.serve("wait", wait)
        editor.request("a", "wait")
        await asyncio.get_running_loop().run_in_executor(None, began.wait, TIMEOUT)
        editor.request("b", protocol.CANCEL, {"id": "a"})
        assert (await editor.reply("b"))["status"] == "ok"
        assert (await editor.reply("a"))["kind"] == "cancelled"

    run(scenario)


def test_cancelled_requests_that_go_on_hold_up_no_others():
    gate = threading.Event()
    ended = threading.Event()

    def work(_parameters, _context):
        gate.wait(TIMEOUT)
        ended.set()
        return {}

    async def scenario(editor):
        editor.serve("work", work)
        editor.serve("other", lambda _parameters, _context: {})
        for number in range(protocol.MAX_RUNNING):
            editor.request("hung %d" % number, "work")
        editor.request("other", "other")
        for number in range(protocol.MAX_RUNNING):
            editor.request("cancel %d" % number, protocol.CANCEL, {"id": "hung %d" % number})
            assert (await editor.reply("hung %d" % number))["kind"] == "cancelled"
        assert (await editor.reply("other"))["status"] == "ok"
        gate.set()
        await asyncio.get_running_loop().run_in_executor(None, ended.wait, TIMEOUT)
        editor.request("next", "other")
        assert (await editor.reply("next"))["status"] == "ok"
        assert len(editor.replies("hung 0")) == 1

    run(scenario)


def test_threads_of_cancelled_requests_are_bounded(monkeypatch):
    monkeypatch.setattr(protocol, "MAX_THREADS", 2)
    gate = threading.Event()

    async def scenario(editor):
        editor.serve("work", lambda _parameters, _context: {"done": gate.wait(TIMEOUT)})
        for name in ("a", "b"):
            editor.request(name, "work")
            editor.request("cancel " + name, protocol.CANCEL, {"id": name})
        editor.request("c", "work")
        editor.request("information", protocol.INFORMATION)
        assert (await editor.reply("information"))["result"]["running"] == 0
        gate.set()
        assert (await editor.reply("c"))["status"] == "ok"

    run(scenario)


def test_lane_performs_one_request_after_the_other_and_skips_cancelled_ones():
    gate = threading.Event()
    order = []

    def work(parameters, _context):
        gate.wait(TIMEOUT)
        order.append(parameters["name"])
        return {}

    async def scenario(editor):
        editor.serve("work", work, lane="lane")
        editor.serve("other", lambda _parameters, _context: {})
        for name in ("a", "b", "c"):
            editor.request(name, "work", {"name": name})
        editor.request("other", "other")
        assert (await editor.reply("other"))["status"] == "ok"
        editor.request("cancel", protocol.CANCEL, {"id": "b"})
        assert (await editor.reply("b"))["kind"] == "cancelled"
        # It was sent again before its reply arrived.
        editor.request("b", "work", {"name": "b"})
        gate.set()
        await editor.reply("c")
        assert order == ["a", "c"]

    run(scenario)


def test_subscription_pushes_until_it_is_cancelled():
    contexts = []
    ended = threading.Event()

    def watch(_parameters, context):
        contexts.append(context)
        context.on_cancel(ended.set)
        return {}

    async def scenario(editor):
        editor.serve("watch", watch, is_subscription=True)
        editor.request("a", "watch")
        await editor.reply("a")
        contexts[0].push({"change": 1})
        await editor.until(lambda _: len(editor.pushes("a")) == 1)
        editor.request("b", protocol.INFORMATION)
        assert (await editor.reply("b"))["result"]["subscriptions"] == 1
        editor.request("c", protocol.CANCEL, {"id": "a"})
        await asyncio.get_running_loop().run_in_executor(None, ended.wait, TIMEOUT)
        contexts[0].push({"change": 2})
        editor.request("d", protocol.INFORMATION)
        await editor.reply("d")
        assert len(editor.pushes("a")) == 1

    run(scenario)


def test_too_many_subscriptions_end_the_oldest():
    ended = []
    lock = threading.Lock()

    def watch(_parameters, context):
        def end():
            with lock:
                ended.append(context.id)

        context.on_cancel(end)
        return {}

    async def scenario(editor):
        editor.serve("watch", watch, is_subscription=True)
        for number in range(protocol.MAX_SUBSCRIPTIONS + 2):
            editor.request(str(number), "watch")
            await editor.reply(str(number))
        assert ended == ["0", "1"]

    run(scenario)


def test_kept_replies_are_bounded():
    async def scenario(editor):
        editor.serve("work", lambda _parameters, _context: {})
        for number in range(protocol.MAX_KEPT_REPLIES * 2):
            editor.request(str(number), "work")
            await editor.reply(str(number))
        assert len(editor.companion._requests) == protocol.MAX_KEPT_REPLIES

    run(scenario)


def test_requests_beyond_the_limit_are_refused():
    gate = threading.Event()

    async def scenario(editor):
        editor.serve("work", lambda _parameters, _context: {"done": gate.wait(TIMEOUT)})
        total = protocol.MAX_RUNNING + protocol.MAX_WAITING
        for number in range(total + 1):
            editor.request(str(number), "work")
        assert editor.replies(str(total))[0]["kind"] == "busy"
        gate.set()
        assert (await editor.reply(str(total - 1)))["status"] == "ok"

    run(scenario)
