"""Tunnels to real sockets, on a loop like that of the control channel."""

import asyncio
import contextlib
import socket
import struct

from companion import protocol, tunnel
from companion.protocol import Companion

TIMEOUT = 30


class Editor:
    """Sends requests to a companion with a tunnel, and takes what it pushes."""

    def __init__(self):
        self.frames = []
        self.data = {}
        self.replies = {}
        self.pushes = 0
        self.number = 0
        self.companion = Companion(self._send)

    def start(self):
        self.request("serve", "tunnel.serve", {})
        assert self.replies["serve"]["status"] == "ok"

    def request(self, request_id, operation, parameters, buffers=()):
        content = {"id": request_id, "operation": operation, "parameters": parameters}
        self.companion.handle(content, "route", buffers)

    def send(self, *frames, buffers=(), number=None, pushes=0):
        if number is None:
            self.number += 1
            number = self.number
        parameters = {"tunnel": "serve", "number": number, "pushes": pushes, "frames": list(frames)}
        request_id = "send-%d-%d" % (number, len(self.replies))
        self.request(request_id, "tunnel.send", parameters, buffers)
        return self.replies[request_id]

    async def until(self, condition):
        async def wait():
            while not condition():
                await asyncio.sleep(0.002)

        await asyncio.wait_for(wait(), TIMEOUT)

    def of(self, kind):
        return [frame for frame in self.frames if frame["type"] == kind]

    def _send(self, _route, kind, content, buffers):
        if kind == protocol.REPLY:
            self.replies[content["id"]] = content
            return
        self.pushes += 1
        buffers = list(buffers)
        for frame in content["value"]["frames"]:
            self.frames.append(frame)
            if frame["type"] == "data":
                self.data.setdefault(frame["connection"], bytearray()).extend(buffers.pop(0))


def run(scenario):
    """Run an asynchronous test with an editor, and with a server that passes its connections to the test."""

    async def whole():
        editor = Editor()
        accepted = asyncio.Queue()
        server = await asyncio.start_server(lambda *pair: accepted.put_nowait(pair), "127.0.0.1", 0)
        try:
            await _opened(editor)
            await scenario(editor, server.sockets[0].getsockname()[1], accepted)
        finally:
            editor.companion.stop()
            await asyncio.sleep(0)
            server.close()

    async def _opened(editor):
        editor.start()

    asyncio.run(whole())


def opening(port, connection=1):
    return {"type": "open", "connection": connection, "port": port}


def test_passes_bytes_on_and_ends_each_direction_on_its_own():
    async def scenario(editor, port, accepted):
        question = {"type": "data", "connection": 1}
        editor.send(opening(port), question, {"type": "end", "connection": 1}, buffers=[memoryview(b"question")])
        reader, writer = await accepted.get()
        assert await reader.read() == b"question"
        writer.write(b"answer")
        writer.close()
        await editor.until(lambda: editor.of("end"))
        assert editor.data[1] == b"answer"
        # Both directions have ended, so that the number is free again.
        assert editor.of("closed") == []
        editor.send(opening(port))
        await accepted.get()

    run(scenario)


def test_takes_batches_in_order_and_each_once():
    async def scenario(editor, port, accepted):
        data = {"type": "data", "connection": 1}
        editor.send(opening(port), number=1)
        editor.send(data, number=3, buffers=[b"c"])
        editor.send(data, number=2, buffers=[b"b"])
        editor.send(data, number=2, buffers=[b"b"])
        editor.send({"type": "end", "connection": 1}, number=4)
        reader, _ = await accepted.get()
        assert await reader.read() == b"bc"
        for number in range(6, 6 + tunnel.MAX_EARLY_BATCHES):
            assert editor.send(number=number)["status"] == "ok"
        assert editor.send(number=100)["kind"] == "invalid"

    run(scenario)


def test_reads_no_more_than_the_window():
    async def scenario(editor, port, accepted):
        editor.send(opening(port))
        _, writer = await accepted.get()
        writer.write(b"x" * (tunnel.WINDOW * 2))
        await editor.until(lambda: len(editor.data.get(1, b"")) == tunnel.WINDOW)
        await asyncio.sleep(0.05)
        assert len(editor.data[1]) == tunnel.WINDOW
        editor.send({"type": "received", "connection": 1, "bytes": 1000}, pushes=editor.pushes)
        await editor.until(lambda: len(editor.data[1]) == tunnel.WINDOW + 1000)
        writer.transport.abort()

    run(scenario)


def test_pushes_no_more_than_the_editor_takes(monkeypatch):
    monkeypatch.setattr(tunnel, "MAX_READ_BYTES", 10)

    async def scenario(editor, port, accepted):
        editor.send(opening(port))
        _, writer = await accepted.get()
        writer.write(b"x" * 2000)
        await editor.until(lambda: editor.pushes == tunnel.MAX_PUSHES)
        await asyncio.sleep(0.05)
        assert editor.pushes == tunnel.MAX_PUSHES
        editor.send(pushes=5)
        await editor.until(lambda: editor.pushes == tunnel.MAX_PUSHES + 5)

    run(scenario)


def test_holds_no_more_than_the_window_for_a_port_that_reads_nothing():
    async def scenario(editor, port, accepted):
        editor.send(opening(port))
        reader, writer = await accepted.get()
        reader._transport.pause_reading()
        piece = b"x" * (1024 * 1024)
        for _ in range(40):
            editor.send({"type": "data", "connection": 1}, buffers=[piece])
            await asyncio.sleep(0)
        # What the system holds for both sockets is not counted.
        await editor.until(lambda: editor.of("closed"))
        assert editor.of("closed")[0]["reason"] == "failed"
        writer.close()

    run(scenario)


def test_reports_refused_and_reset_connections():
    async def scenario(editor, port, accepted):
        free = socket.socket()
        free.bind(("127.0.0.1", 0))
        editor.send(opening(free.getsockname()[1]))
        await editor.until(lambda: editor.of("closed"))
        assert editor.of("closed")[0]["reason"] == "refused"
        free.close()
        editor.send(opening(port, 2))
        _, writer = await accepted.get()
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        await editor.until(lambda: len(editor.of("closed")) == 2)
        assert editor.of("closed")[1]["reason"] == "reset"

    run(scenario)


def test_has_a_limit_of_connections():
    async def scenario(editor, port, accepted):
        editor.send(*(opening(port, number) for number in range(tunnel.MAX_CONNECTIONS + 1)))
        await editor.until(lambda: editor.of("closed"))
        assert editor.of("closed") == [
            {
                "connection": tunnel.MAX_CONNECTIONS,
                "type": "closed",
                "reason": "tooMany",
                "message": "There are too many connections.",
            }
        ]

    run(scenario)


def test_ends_all_connections_when_it_is_cancelled():
    async def scenario(editor, port, accepted):
        editor.send(opening(port))
        reader, _ = await accepted.get()
        editor.request("cancel", protocol.CANCEL, {"id": "serve"})
        with contextlib.suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), TIMEOUT) == b""
        assert editor.send()["kind"] == "noTunnel"

    run(scenario)
