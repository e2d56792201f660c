"""Connections to ports of this machine's loopback, for the ports that the editor forwards.

A tunnel is a subscription that carries many connections. Both sides send frames: the editor batches of them in requests
with consecutive numbers, because a request may be repeated or overtaken, and the tunnel pushes. Neither side sends more
than a window of data per connection, or `MAX_PUSHES` pushes, before the other one has taken some of it.

All of it runs on the loop of the control channel, with sockets that never block: between threads, each piece of data
would wait for Python's lock, which takes longer than to pass it on.
"""

import asyncio
import collections
import errno
import socket
import struct

from .protocol import ServiceError, service, subscription

MAX_CONNECTIONS = 64
# Bytes that may be under way in one direction of a connection.
WINDOW = 4 * 1024 * 1024
# What was taken is reported in steps of this size.
REPORT_BYTES = 512 * 1024
# The last piece may exceed the window.
MAX_QUEUED_BYTES = WINDOW + 1024 * 1024
MAX_READ_BYTES = 1024 * 1024
MAX_PUSHES = 64
# Batches that may arrive before the one that comes first.
MAX_EARLY_BATCHES = 16
LOOPBACK = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))

_tunnels = {}


@subscription("tunnel.serve", is_immediate=True)
def serve(parameters, context):
    tunnel = Tunnel(context, asyncio.get_running_loop())
    _tunnels[context.id] = tunnel

    def end():
        _tunnels.pop(context.id, None)
        tunnel.close()

    context.on_cancel(end)
    return {"tunnel": context.id}


@service("tunnel.send", is_immediate=True)
def send(parameters, context):
    tunnel = _tunnels.get(parameters["tunnel"])
    if tunnel is None:
        raise ServiceError("noTunnel", "The tunnel has ended.")
    tunnel.take(parameters["number"], parameters["pushes"], parameters["frames"], context.buffers)
    return {}


class Connection:
    def __init__(self, number, port):
        self.number = number
        self.port = port
        self.socket = None
        # Addresses that were not tried yet.
        self.addresses = collections.deque(LOOPBACK)
        self.is_open = False
        self.is_reading = False
        self.is_writing = False
        # Data for the socket.
        self.queue = collections.deque()
        self.queued_bytes = 0
        self.ends_after_queue = False
        self.has_sent_end = False
        self.has_read_end = False
        # Bytes that may be pushed.
        self.credit = WINDOW
        # Bytes that the socket has taken since that was reported.
        self.taken_bytes = 0


class Tunnel:
    """The connections of one subscription."""

    def __init__(self, context, loop):
        self._context = context
        self._loop = loop
        self._connections = {}
        self._next = 1
        self._early = {}
        # Pushes that the editor has not taken yet.
        self._pushes = 0

    def take(self, number, pushes, frames, buffers):
        """Take a batch of the editor, in the order of their numbers, each once."""
        waiting = collections.deque(buffers)
        batch = []
        for frame in frames:
            if frame["type"] == "data" and not waiting:
                raise ServiceError("invalid", "A frame has no data.")
            batch.append((frame, waiting.popleft() if frame["type"] == "data" else None))
        if number < self._next or number in self._early:
            return
        if len(self._early) >= MAX_EARLY_BATCHES:
            raise ServiceError("invalid", "Too many batches arrived early.")
        self._early[number] = (pushes, batch)
        while self._next in self._early:
            taken, arrived = self._early.pop(self._next)
            self._next += 1
            self._took_pushes(taken)
            for frame, data in arrived:
                self._apply(frame, data)

    def close(self):
        """End all connections. May be called in any thread."""
        try:
            self._loop.call_soon_threadsafe(self._close)
        except RuntimeError:
            # The kernel ends.
            return

    def _close(self):
        for connection in list(self._connections.values()):
            self._drop(connection, resets=True)

    def _may_push(self):
        return self._pushes < MAX_PUSHES

    def _took_pushes(self, count):
        could_push = self._may_push()
        self._pushes = max(0, self._pushes - count)
        if not could_push and self._may_push():
            self._wait_for_all()

    def _apply(self, frame, data):
        kind = frame["type"]
        if kind == "open":
            self._open(frame["connection"], frame["port"])
            return
        connection = self._connections.get(frame["connection"])
        if connection is None:
            # It has ended meanwhile.
            return
        if kind == "data":
            view = memoryview(data).cast("B")
            connection.queue.append(view)
            connection.queued_bytes += view.nbytes
            if connection.queued_bytes > MAX_QUEUED_BYTES:
                self._end(connection, "failed", "Too much data was sent at once.")
            else:
                self._write(connection)
        elif kind == "end":
            connection.ends_after_queue = True
            self._write(connection)
        elif kind == "received":
            connection.credit = min(WINDOW, connection.credit + frame["bytes"])
            self._wait(connection)
        elif kind == "close":
            self._drop(connection, resets=True)

    def _open(self, number, port):
        if number in self._connections:
            return
        connection = Connection(number, port)
        if len(self._connections) >= MAX_CONNECTIONS:
            self._end(connection, "tooMany", "There are too many connections.")
            return
        self._connections[number] = connection
        self._connect(connection, errno.ECONNREFUSED)

    def _connect(self, connection, before):
        """Try the next address. `before`: the error of the one before."""
        while connection.addresses:
            family, host = connection.addresses.popleft()
            try:
                connection.socket = socket.socket(family, socket.SOCK_STREAM)
            except OSError:
                # A system without IPv6.
                continue
            connection.socket.setblocking(False)
            result = connection.socket.connect_ex((host, connection.port))
            if result in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
                connection.is_writing = True
                self._loop.add_writer(connection.socket, self._connected, connection)
                return
            self._close_socket(connection)
            before = result
        is_refused = before == errno.ECONNREFUSED
        reason = "Nothing listens on the port." if is_refused else errno.errorcode.get(before, "error %s" % before)
        self._end(connection, "refused" if is_refused else "failed", reason)

    def _connected(self, connection):
        error = connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error != 0:
            self._close_socket(connection)
            self._connect(connection, error)
            return
        connection.is_open = True
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._write(connection)

    def _read(self, connection):
        try:
            data = connection.socket.recv(min(connection.credit, MAX_READ_BYTES))
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end(connection, "reset", error.strerror or "The connection was reset.")
            return
        if data:
            connection.credit -= len(data)
            self._push({"connection": connection.number, "type": "data"}, data)
        else:
            connection.has_read_end = True
            self._push({"connection": connection.number, "type": "end"})
        self._settle(connection)

    def _write(self, connection):
        if not connection.is_open:
            return
        try:
            while connection.queue:
                view = connection.queue[0]
                sent = connection.socket.send(view)
                connection.queued_bytes -= sent
                connection.taken_bytes += sent
                if sent < view.nbytes:
                    connection.queue[0] = view[sent:]
                    break
                connection.queue.popleft()
            if not connection.queue and connection.ends_after_queue and not connection.has_sent_end:
                connection.has_sent_end = True
                connection.socket.shutdown(socket.SHUT_WR)
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self._end(connection, "reset", error.strerror or "The connection was reset.")
            return
        if connection.taken_bytes >= REPORT_BYTES:
            self._push({"connection": connection.number, "type": "received", "bytes": connection.taken_bytes})
            connection.taken_bytes = 0
        self._settle(connection)

    def _settle(self, connection):
        """Drop a connection whose directions have both ended. Otherwise, wait for what it needs next."""
        if connection.has_read_end and connection.has_sent_end:
            self._drop(connection)
        else:
            self._wait(connection)

    def _wait_for_all(self):
        for connection in self._connections.values():
            self._wait(connection)

    def _wait(self, connection):
        if not connection.is_open:
            return
        reads = not connection.has_read_end and connection.credit > 0 and self._may_push()
        if reads and not connection.is_reading:
            self._loop.add_reader(connection.socket, self._read, connection)
        elif connection.is_reading and not reads:
            self._loop.remove_reader(connection.socket)
        connection.is_reading = reads
        writes = len(connection.queue) > 0
        if writes and not connection.is_writing:
            self._loop.add_writer(connection.socket, self._write, connection)
        elif not writes and connection.is_writing:
            self._loop.remove_writer(connection.socket)
        elif writes:
            # It was connecting until now.
            self._loop.add_writer(connection.socket, self._write, connection)
        connection.is_writing = writes

    def _end(self, connection, reason, message):
        self._drop(connection, resets=True)
        self._push({"connection": connection.number, "type": "closed", "reason": reason, "message": message})

    def _drop(self, connection, resets=False):
        self._connections.pop(connection.number, None)
        if connection.socket is not None and resets:
            # The other side sees that the connection did not end by itself.
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._close_socket(connection)

    def _close_socket(self, connection):
        if connection.socket is None:
            return
        if connection.is_reading:
            self._loop.remove_reader(connection.socket)
        if connection.is_writing:
            self._loop.remove_writer(connection.socket)
        connection.is_reading = connection.is_writing = False
        connection.socket.close()
        connection.socket = None

    def _push(self, frame, data=None):
        could_push = self._may_push()
        self._pushes += 1
        self._context.push({"frames": [frame]}, () if data is None else (data,))
        if could_push and not self._may_push():
            self._wait_for_all()
