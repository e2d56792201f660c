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


class CellKernel:
    """A kernel for the cells, which ends with this process."""

    def __init__(self, name):
        from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
        from jupyter_client.manager import KernelManager

        class OwnInterpreter(KernelSpecManager):
            def get_kernel_spec(self, kernel_name):
                argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
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
            self._client.start_channels()
            self._client.wait_for_ready(timeout=KERNEL_START_SECONDS)
        except BaseException:
            self.end()
            raise

    def run(self, source, on_output, canceled, on_turn):
        """Run a cell. Returns None, or the reason why it failed. Calls `on_turn` at least every `POLL_SECONDS`."""
        request = self._client.execute(source, allow_stdin=False, stop_on_error=True)
        problem = None
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
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content.get("execution_state") == "idle":
                return problem
            if kind == "error":
                problem = "%s: %s" % (content.get("ename", ""), content.get("evalue", ""))
            on_output(kind, content)

    def end(self):
        """End the kernel."""
        client = getattr(self, "_client", None)
        if client is not None:
            client.stop_channels()
        if self._manager.has_kernel:
            self._manager.shutdown_kernel(now=True)
        shutil.rmtree(self._directory, ignore_errors=True)
