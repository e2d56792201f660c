"""The kernel that runs the cells."""

import os
import queue
import shutil
import sys
import tempfile
import time

# Seconds between two looks at whether the run was canceled, or the kernel has died.
POLL_SECONDS = 0.5
KERNEL_START_SECONDS = 120
INTERRUPT_SECONDS = 20
# Messages of the kernel that wait, for example while the notebook is written. ZeroMQ drops what is beyond its limit of
# 1,000, at both ends of the connection, without saying so.
MAX_WAITING_MESSAGES = 1_000_000
# Starts IPython's kernel as its own launcher does, with that limit.
KERNEL_PROGRAM = """
import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]

import zmq
from ipykernel.kernelapp import IPKernelApp


class App(IPKernelApp):
    def init_iopub(self, context):
        context.setsockopt(zmq.SNDHWM, %d)
        super().init_iopub(context)


App.launch_instance()
""" % (MAX_WAITING_MESSAGES)
# Turns without a message after the reply, until a cell whose end was dropped counts as ended.
MAX_SILENT_TURNS = 20


class CellKernel:
    """A kernel for the cells, which ends with this process."""

    def __init__(self, name):
        from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
        from jupyter_client.manager import KernelManager
        from zmq import RCVHWM

        class OwnInterpreter(KernelSpecManager):
            def get_kernel_spec(self, kernel_name):
                argv = [sys.executable, "-c", KERNEL_PROGRAM, "-f", "{connection_file}"]
                return KernelSpec(argv=argv, display_name="Python 3", language="python")

        self._directory = tempfile.mkdtemp(prefix="pw-run-")
        specs = OwnInterpreter() if name is None else KernelSpecManager()
        self._manager = KernelManager(kernel_name=name or "python3", kernel_spec_manager=specs)
        if os.name == "posix":
            # Nobody else can reach these, and no port has to be free.
            self._manager.transport = "ipc"
            self._manager.connection_file = os.path.join(self._directory, "kernel.json")
        try:
            self._manager.start_kernel(cwd=os.getcwd())
            self._client = self._manager.client()
            self._client.context.setsockopt(RCVHWM, MAX_WAITING_MESSAGES)
            self._client.start_channels()
            self._client.wait_for_ready(timeout=KERNEL_START_SECONDS)
        except BaseException:
            self.end()
            raise

    def run(self, source, on_output, canceled, on_turn):
        """Run a cell. Returns None, or the reason why it failed. Calls `on_turn` at least every `POLL_SECONDS`."""
        request = self._client.execute(source, allow_stdin=False, stop_on_error=True)
        problem = None
        reply = None
        silent_turns = 0
        interrupted_at = None
        while True:
            on_turn()
            if canceled.is_set() and interrupted_at is None:
                interrupted_at = time.monotonic()
                self._manager.interrupt_kernel()
            if interrupted_at is not None and time.monotonic() - interrupted_at > INTERRUPT_SECONDS:
                return "The cell didn't end after it was interrupted."
            try:
                message = self._client.get_iopub_msg(timeout=POLL_SECONDS)
            except queue.Empty:
                if not self._manager.is_alive():
                    return "The kernel died."
                reply = reply or self._reply_to(request)
                silent_turns += 1 if reply is not None else 0
                if silent_turns >= MAX_SILENT_TURNS:
                    return _end_by(reply, problem, on_output)
                continue
            silent_turns = 0
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content.get("execution_state") == "idle":
                return problem
            if kind == "error":
                problem = _text_of(content)
            on_output(kind, content)

    def _reply_to(self, request):
        """Return the content of the reply to a request if it has arrived."""
        try:
            while True:
                message = self._client.get_shell_msg(timeout=0)
                if message["parent_header"].get("msg_id") == request:
                    return message["content"]
        except queue.Empty:
            return None

    def end(self):
        """End the kernel."""
        client = getattr(self, "_client", None)
        if client is not None:
            client.stop_channels()
        if self._manager.has_kernel:
            self._manager.shutdown_kernel(now=True)
        shutil.rmtree(self._directory, ignore_errors=True)


def _text_of(error):
    return "%s: %s" % (error.get("ename", ""), error.get("evalue", ""))


def _end_by(reply, problem, on_output):
    """Return why a cell failed whose last messages were dropped."""
    note = "\nA part of the output is missing: the cell wrote it faster than it could be read.\n"
    on_output("stream", {"name": "stderr", "text": note})
    if problem is None and reply.get("status") == "error":
        on_output("error", reply)
        return _text_of(reply)
    return problem
