"""Memory and processors that the workspace and its kernels use.

The workspace's size is that of its container (cgroup 2 or 1), or what JupyterHub has set for the server, or the whole
machine. Where there is no /proc, psutil reports what it can.
"""

import contextlib
import glob
import json
import os
import re
import threading
import time

from .protocol import subscription

INTERVAL_SECONDS = 5.0
# The first report has no processor time yet, which needs two looks.
FIRST_INTERVAL_SECONDS = 1.0
# A look that takes long is followed by a pause that is as many times as long.
PAUSE_FACTOR = 20
MAX_PROCESSES = 20000
MAX_KERNELS = 200
MAX_READ_BYTES = 65536
# Limits of cgroup 1 above this are no limits.
UNLIMITED = 1 << 60

_KERNEL_FILE = re.compile(r"kernel-([0-9A-Za-z-]{1,64})\.json$")
_CULL_OPTION = re.compile(r"--(?:Async)?(?:Mapping)?KernelManager\.(cull_[a-z_]+)=([A-Za-z0-9]+)$")


@subscription("resources.watch")
def watch_resources(_parameters, context):
    threading.Thread(target=_watch, args=(Sampler(), context), daemon=True).start()
    return {}


def _watch(sampler, context):
    pause = 0.0
    while not context.wait(pause):
        started = time.monotonic()
        context.push(sampler.sample())
        took = time.monotonic() - started
        pause = max(FIRST_INTERVAL_SECONDS if pause == 0.0 else INTERVAL_SECONDS, took * PAUSE_FACTOR)


class Sampler:
    """Looks at the processes and limits again and again. Processor time is that between two looks."""

    def __init__(self, proc="/proc", cgroup="/sys/fs/cgroup", environment=None, server=None, clock=time.monotonic):
        self._proc = proc
        self._environment = os.environ if environment is None else environment
        # The process of the content server, which started this kernel.
        self._server = os.getppid() if server is None else server
        self._clock = clock
        self._groups = Groups(proc, cgroup)
        self._has_proc = os.path.exists(os.path.join(proc, "meminfo"))
        self._names = {}
        self._before = None
        self._culling = None

    def sample(self):
        processes = self._processes()
        now = self._clock()
        before, self._before = self._before, (now, processes, self._busy_seconds(processes))
        elapsed = None if before is None else max(now - before[0], 0.001)
        if self._culling is None:
            self._culling = self._read_culling() or {}
        return {
            "memory": self._memory(processes),
            "processor": self._processor(before, elapsed),
            "kernels": self._kernels(processes, before, elapsed),
            "culling": self._culling or None,
            "canSeeProcesses": len(processes) > 0,
        }

    def _memory(self, processes):
        total, available = self._machine_memory()
        limit, used = self._groups.memory()
        if limit is not None and (total is None or limit < total):
            return {"used": min(used, limit), "limit": limit, "source": "container"}
        limit = _positive(self._environment.get("MEM_LIMIT"))
        if limit is not None and (total is None or limit < total):
            tree = _tree(processes, self._server)
            return {"used": sum(processes[one].memory for one in tree), "limit": int(limit), "source": "server"}
        if total is None:
            return None
        return {"used": max(total - available, 0), "limit": total, "source": "machine"}

    def _machine_memory(self):
        """Return the machine's memory, and what is available of it."""
        if not self._has_proc:
            psutil = _psutil()
            memory = psutil and psutil.virtual_memory()
            return (memory.total, memory.available) if memory else (None, None)
        found = {}
        for line in _read(self._proc, "meminfo").splitlines():
            words = line.split()
            if len(words) >= 2 and words[1].isdigit():
                found[words[0].rstrip(":")] = int(words[1]) * 1024
        total = found.get("MemTotal")
        return total, found.get("MemAvailable", found.get("MemFree", total))

    def _busy_seconds(self, processes):
        """Return how long processors have worked, by where that was read, and how many there are."""
        limit, seconds = self._groups.processor()
        count = _processors()
        if limit is not None and limit < count:
            return "container", seconds, limit
        limit = _positive(self._environment.get("CPU_LIMIT"))
        if limit is not None and limit < count:
            tree = _tree(processes, self._server)
            return "server", sum(processes[one].seconds for one in tree), limit
        if not self._has_proc:
            psutil = _psutil()
            times = psutil and psutil.cpu_times()
            return "machine", sum(times) - times.idle if times else None, count
        words = _read(self._proc, "stat").split("\n", 1)[0].split()[1:9]
        if len(words) < 5 or not all(word.isdigit() for word in words):
            return "machine", None, count
        ticks = [int(word) for word in words]
        # Waiting for a disk is no work.
        return "machine", (sum(ticks) - ticks[3] - ticks[4]) / _ticks(), os.cpu_count() or count

    def _processor(self, before, elapsed):
        source, seconds, limit = self._before[2]
        used = None
        if before is not None and seconds is not None and before[2][0] == source and before[2][1] is not None:
            used = min(max(seconds - before[2][1], 0) / elapsed, limit)
        return {"used": used, "limit": limit, "source": source}

    def _kernels(self, processes, before, elapsed):
        """Return the memory and processors of each kernel with the processes below it. The largest come first."""
        memory, work = {}, {}
        # Not those of other servers on the same machine.
        for pid in _tree(processes, self._server):
            process, kernel = processes[pid], self._kernel_of(pid, processes)
            if kernel is None:
                continue
            memory[kernel] = memory.get(kernel, 0) + process.memory
            earlier = before and before[1].get(pid)
            known = earlier.seconds if earlier and earlier.start == process.start else 0
            work[kernel] = work.get(kernel, 0) + max(process.seconds - known, 0)
        largest = sorted(memory, key=lambda kernel: -memory[kernel])[:MAX_KERNELS]
        return [
            {"id": one, "memory": memory[one], "processor": None if elapsed is None else work[one] / elapsed}
            for one in largest
        ]

    def _kernel_of(self, pid, processes):
        """Return the id of the kernel that a process is, or that has started it."""
        seen = set()
        while pid in processes and pid not in seen:
            seen.add(pid)
            if processes[pid].kernel is not None:
                return processes[pid].kernel
            pid = processes[pid].parent
        return None

    def _processes(self):
        names, self._names = self._names, {}
        found = {}
        for pid, process in self._proc_processes() if self._has_proc else _psutil_processes():
            key = (pid, process.start)
            kernel, looks = names.get(key, (None, 0))
            # A process that was only just started may still become another program.
            if kernel is None and looks < 2:
                kernel = _kernel_in(process.arguments())
            self._names[key] = (kernel, looks + 1)
            process.kernel = kernel
            found[pid] = process
        return found

    def _proc_processes(self):
        page, ticks = _page_size(), _ticks()
        try:
            names = [name for name in os.listdir(self._proc) if name.isdigit()][:MAX_PROCESSES]
        except OSError:
            return
        for name in names:
            # After the name of the program, which can contain anything.
            fields = _read(self._proc, name, "stat").rpartition(")")[2].split()
            # It has ended, or belongs to someone else.
            if len(fields) < 22:
                continue
            with contextlib.suppress(ValueError):
                yield (
                    int(name),
                    Process(
                        parent=int(fields[1]),
                        start=fields[19],
                        seconds=(int(fields[11]) + int(fields[12])) / ticks,
                        memory=max(int(fields[21]), 0) * page,
                        arguments=lambda name=name: _read(self._proc, name, "cmdline").split("\0"),
                    ),
                )

    def _read_culling(self):
        """Return when the server ends idle kernels, from its command line or its configuration in JSON."""
        options = {}
        for values in [*reversed(_configurations()), _cull_options(_read(self._proc, str(self._server), "cmdline"))]:
            options.update(values)
        idle = _positive(options.get("cull_idle_timeout"))
        if idle is None:
            return None
        return {
            "idleSeconds": int(idle),
            "endsConnected": _is_true(options.get("cull_connected")),
            "endsBusy": _is_true(options.get("cull_busy")),
        }


class Process:
    def __init__(self, parent, start, seconds, memory, arguments):
        self.parent = parent
        self.start = start
        self.seconds = seconds
        self.memory = memory
        self.arguments = arguments
        self.kernel = None


class Groups:
    """The limits of the control groups that this process is in, and what they use. Each is a pair, or two None."""

    def __init__(self, proc, root):
        self._root = root
        self._paths = {}
        for line in _read(proc, "self", "cgroup").splitlines():
            _, _, rest = line.partition(":")
            controllers, _, path = rest.partition(":")
            for controller in controllers.split(","):
                self._paths[controller] = path

    def memory(self):
        """Return the smallest limit in bytes, and what counts towards it without caches that can be dropped."""
        found = []
        for directory in self._directories(""):
            limit, used = _number(_read(directory, "memory.max")), _number(_read(directory, "memory.current"))
            found.append((limit, used, _statistic(directory, "memory.stat", "inactive_file")))
        for directory in self._directories("memory"):
            limit = _number(_read(directory, "memory.limit_in_bytes"))
            used = _number(_read(directory, "memory.usage_in_bytes"))
            found.append((limit, used, _statistic(directory, "memory.stat", "total_inactive_file")))
        limited = [one for one in found if one[0] is not None and one[0] < UNLIMITED and one[1] is not None]
        if not limited:
            return None, None
        limit, used, cache = min(limited, key=lambda one: one[0])
        return limit, max(used - (cache or 0), 0)

    def processor(self):
        """Return the smallest limit in processors, and the seconds that they have worked."""
        found = []
        for directory in self._directories(""):
            quota, _, period = _read(directory, "cpu.max").partition(" ")
            usage = _statistic(directory, "cpu.stat", "usage_usec")
            found.append((_number(quota), _number(period), None if usage is None else usage / 1e6))
        for directory, accounts in zip(self._directories("cpu"), self._directories("cpuacct")):
            quota = _number(_read(directory, "cpu.cfs_quota_us"))
            period = _number(_read(directory, "cpu.cfs_period_us"))
            usage = _number(_read(accounts, "cpuacct.usage"))
            found.append((quota, period, None if usage is None else usage / 1e9))
        limited = [(quota / period, seconds) for quota, period, seconds in found if quota and period]
        return min(limited, key=lambda one: one[0]) if limited else (None, None)

    def _directories(self, controller):
        """Return the directories of the group and of those around it. In a container, its own is the root."""
        path = self._paths.get(controller)
        if path is None:
            return []
        names = [name for name in path.split("/") if name not in ("", ".", "..")]
        inner = [os.path.join(*names[:count]) for count in range(len(names), 0, -1)]
        roots = [self._root, os.path.join(self._root, "unified")] if controller == "" else []
        if controller != "":
            mounts = [controller, "cpu,cpuacct"] if controller.startswith("cpu") else [controller]
            roots = [os.path.join(self._root, mount) for mount in mounts]
        directories = [os.path.join(root, one) for root in roots for one in [*inner, ""]]
        return [one for one in directories if os.path.isdir(one)]


def _kernel_in(arguments):
    for argument in arguments:
        found = _KERNEL_FILE.search(argument)
        if found:
            return found.group(1)
    return None


def _tree(processes, root):
    """Return a process and all that it has started."""
    children = {}
    for pid, process in processes.items():
        children.setdefault(process.parent, []).append(pid)
    found, waiting = set(), [root]
    while waiting:
        pid = waiting.pop()
        if pid in processes and pid not in found:
            found.add(pid)
            waiting.extend(children.get(pid, []))
    return found


def _psutil():
    try:
        import psutil
    except ImportError:
        return None
    return psutil


def _psutil_processes():
    psutil = _psutil()
    if psutil is None:
        return
    for count, one in enumerate(psutil.process_iter()):
        if count >= MAX_PROCESSES:
            return
        with contextlib.suppress(psutil.Error, OSError):
            times = one.cpu_times()
            yield (
                one.pid,
                Process(
                    parent=one.ppid(),
                    start=one.create_time(),
                    seconds=times.user + times.system,
                    memory=one.memory_info().rss,
                    arguments=lambda one=one: _arguments_of(psutil, one),
                ),
            )


def _arguments_of(psutil, process):
    try:
        return process.cmdline()
    except (psutil.Error, OSError):
        return []


def _cull_options(command_line):
    options = {}
    for argument in command_line.split("\0"):
        found = _CULL_OPTION.match(argument)
        if found:
            options[found.group(1)] = found.group(2)
    return options


def _configurations():
    """Return what the server's JSON files say about culling, the most important first."""
    try:
        from jupyter_core.paths import jupyter_config_path

        directories = jupyter_config_path()
    except Exception:
        return []
    found = []
    for directory in directories[:20]:
        files = sorted(glob.glob(os.path.join(glob.escape(directory), "jupyter_server_config.d", "*.json")))[:100]
        for path in [os.path.join(directory, "jupyter_server_config.json"), *files]:
            with contextlib.suppress(ValueError, AttributeError, RecursionError):
                content = json.loads(_read(path) or "{}")
                for name in ("MappingKernelManager", "AsyncMappingKernelManager"):
                    found.append({key: str(value) for key, value in content.get(name, {}).items()})
    return found


def _read(*path):
    """Return the beginning of a file; nothing if it can't be read."""
    try:
        with open(os.path.join(*path), "rb") as file:
            return file.read(MAX_READ_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _statistic(directory, name, key):
    for line in _read(directory, name).splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == key:
            return _number(words[1])
    return None


def _number(text):
    text = text.strip()
    return int(text) if text.isdigit() and len(text) < 20 else None


def _positive(text):
    try:
        number = float(text)
    except (TypeError, ValueError):
        return None
    return number if 0 < number < UNLIMITED else None


def _is_true(text):
    return str(text).lower() in ("true", "1")


def _processors():
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _page_size():
    return os.sysconf("SC_PAGE_SIZE")


def _ticks():
    return os.sysconf("SC_CLK_TCK")
