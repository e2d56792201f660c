"""Memory and processors, from trees of files as systems have them."""

import os
import subprocess
import sys
import threading

import pytest

from companion import resources
from companion.resources import Sampler

GIGABYTE = 1 << 30
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "_configurations", list)
    monkeypatch.setattr(resources, "_processors", lambda: 8)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    return Machine(tmp_path)


class Machine:
    """A fake /proc and /sys/fs/cgroup."""

    def __init__(self, path):
        self.path = path
        self.now = 0.0
        self.environment = {}
        self.write("proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable: 12582912 kB\n")
        self.write("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 1 2\n")
        self.write("cgroup/x", "")

    def write(self, path, text):
        target = self.path / path
        os.makedirs(target.parent, exist_ok=True)
        target.write_text(text)

    def process(self, pid, parent, memory=0, seconds=0.0, arguments=(), start=1):
        fields = ["S", str(parent)] + ["0"] * 9 + [str(round(seconds * TICKS)), "0"] + ["0"] * 6
        fields += [str(start), "0", str(memory // PAGE)]
        self.write("proc/%d/stat" % pid, "%d (odd) name) %s\n" % (pid, " ".join(fields)))
        self.write("proc/%d/cmdline" % pid, "\0".join(arguments) + "\0")

    def sampler(self):
        proc, cgroup = str(self.path / "proc"), str(self.path / "cgroup")
        return Sampler(proc, cgroup, self.environment, server=10, clock=lambda: self.now)


def test_counts_the_processes_of_each_kernel(machine):
    machine.process(10, 1, 50 * PAGE, arguments=["jupyter-server"])
    machine.process(11, 10, 10 * PAGE, arguments=["python", "-f", "/run/kernel-aaaa-1.json"])
    machine.process(12, 11, 5 * PAGE, arguments=["worker"])
    machine.process(13, 12, 2 * PAGE, arguments=["python", "-f", "/run/kernel-bbbb-2.json"])
    machine.process(14, 10, 99 * PAGE, arguments=["bash"])
    machine.process(20, 1, 99 * PAGE, arguments=["other-server"])
    machine.process(21, 20, 99 * PAGE, arguments=["python", "-f", "/run/kernel-cccc-3.json"])
    sampler = machine.sampler()
    assert sampler.sample()["kernels"] == [
        {"id": "aaaa-1", "memory": 15 * PAGE, "processor": None},
        {"id": "bbbb-2", "memory": 2 * PAGE, "processor": None},
    ]
    machine.now = 4.0
    machine.process(12, 11, 5 * PAGE, seconds=6.0, arguments=["worker"])
    # Another process with the same number has nothing of the earlier one.
    machine.process(13, 12, 30 * PAGE, seconds=1.0, arguments=["python"], start=2)
    assert sampler.sample()["kernels"] == [{"id": "aaaa-1", "memory": 45 * PAGE, "processor": 1.75}]


def test_notices_that_a_new_process_becomes_a_kernel(machine):
    machine.process(10, 1)
    machine.process(11, 10, PAGE, arguments=["jupyter-server"])
    sampler = machine.sampler()
    assert sampler.sample()["kernels"] == []
    machine.process(11, 10, PAGE, arguments=["python", "-f", "kernel-a.json"])
    assert [one["id"] for one in sampler.sample()["kernels"]] == ["a"]


def test_takes_the_machine_without_limits(machine):
    sampler = machine.sampler()
    first = sampler.sample()
    assert first["memory"] == {"used": 4 * GIGABYTE, "limit": 16 * GIGABYTE, "source": "machine"}
    assert first["processor"] == {"used": None, "limit": 8, "source": "machine"}
    assert first["canSeeProcesses"] is False
    machine.now = 2.0
    machine.write("proc/stat", "cpu  %d 0 %d 500 900 0 0 0 0 0\n" % (2 * TICKS, 4 * TICKS))
    assert sampler.sample()["processor"] == {"used": 3.0, "limit": 8, "source": "machine"}


@pytest.mark.parametrize("directory", ["cgroup/", "cgroup/pod/own/", "cgroup/unified/pod/own/"])
def test_reads_the_limits_of_cgroup_2(machine, directory):
    machine.write("proc/self/cgroup", "0::/pod/own\n")
    machine.write(directory + "memory.max", "%d\n" % (4 * GIGABYTE))
    machine.write(directory + "memory.current", "%d\n" % (3 * GIGABYTE))
    machine.write(directory + "memory.stat", "anon 1\ninactive_file %d\n" % GIGABYTE)
    machine.write(directory + "cpu.max", "150000 100000\n")
    machine.write(directory + "cpu.stat", "usage_usec 1000000\nuser_usec 5\n")
    sampler = machine.sampler()
    assert sampler.sample()["memory"] == {"used": 2 * GIGABYTE, "limit": 4 * GIGABYTE, "source": "container"}
    machine.now = 10.0
    machine.write(directory + "cpu.stat", "usage_usec 6000000\n")
    assert sampler.sample()["processor"] == {"used": 0.5, "limit": 1.5, "source": "container"}


def test_takes_the_smallest_limit_of_the_groups_around_it(machine):
    machine.write("proc/self/cgroup", "0::/pod/own\n")
    for directory, limit, used in [("pod/own/", "max", 1), ("pod/", str(2 * GIGABYTE), GIGABYTE)]:
        machine.write("cgroup/%smemory.max" % directory, limit + "\n")
        machine.write("cgroup/%smemory.current" % directory, "%d\n" % used)
    assert machine.sampler().sample()["memory"] == {"used": GIGABYTE, "limit": 2 * GIGABYTE, "source": "container"}


@pytest.mark.parametrize("cpu", ["cpu", "cpu,cpuacct"])
def test_reads_the_limits_of_cgroup_1(machine, cpu):
    machine.write("proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n")
    machine.write("cgroup/memory/memory.limit_in_bytes", "%d\n" % (4 * GIGABYTE))
    machine.write("cgroup/memory/memory.usage_in_bytes", "%d\n" % (3 * GIGABYTE))
    machine.write("cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file %d\n" % GIGABYTE)
    accounts = "cpuacct" if cpu == "cpu" else cpu
    machine.write("cgroup/%s/cpu.cfs_quota_us" % cpu, "200000\n")
    machine.write("cgroup/%s/cpu.cfs_period_us" % cpu, "100000\n")
    machine.write("cgroup/%s/cpuacct.usage" % accounts, "1000000000\n")
    sampler = machine.sampler()
    assert sampler.sample()["memory"] == {"used": 2 * GIGABYTE, "limit": 4 * GIGABYTE, "source": "container"}
    machine.now = 2.0
    machine.write("cgroup/%s/cpuacct.usage" % accounts, "2000000000\n")
    assert sampler.sample()["processor"] == {"used": 0.5, "limit": 2.0, "source": "container"}


def test_takes_an_unlimited_group_as_none(machine):
    machine.write("proc/self/cgroup", "4:memory:/\n3:cpu:/\n2:cpuacct:/\n0::/\n")
    machine.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
    machine.write("cgroup/memory/memory.usage_in_bytes", "5\n")
    machine.write("cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    machine.write("cgroup/cpu/cpu.cfs_period_us", "100000\n")
    machine.write("cgroup/cpuacct/cpuacct.usage", "5\n")
    machine.write("cgroup/memory.max", "max\n")
    machine.write("cgroup/cpu.max", "max 100000\n")
    sample = machine.sampler().sample()
    assert sample["memory"]["source"] == sample["processor"]["source"] == "machine"


def test_takes_the_limits_that_jupyterhub_has_set_for_the_server(machine):
    machine.environment.update(MEM_LIMIT=str(2 * GIGABYTE), CPU_LIMIT="0.5")
    machine.process(10, 1, 10 * PAGE)
    machine.process(11, 10, 20 * PAGE, seconds=1.0)
    machine.process(99, 1, 40 * PAGE)
    sampler = machine.sampler()
    assert sampler.sample()["memory"] == {"used": 30 * PAGE, "limit": 2 * GIGABYTE, "source": "server"}
    machine.now = 10.0
    machine.process(11, 10, 20 * PAGE, seconds=3.0)
    assert sampler.sample()["processor"] == {"used": 0.2, "limit": 0.5, "source": "server"}


@pytest.mark.parametrize("value", ["", "many", "0", "-1", "inf", "nan"])
def test_ignores_limits_that_are_none(machine, value):
    machine.environment.update(MEM_LIMIT=value, CPU_LIMIT=value)
    assert machine.sampler().sample()["memory"]["source"] == "machine"


def test_survives_what_it_cannot_read(machine):
    machine.write("proc/12/stat", "12 (broken) S x y\n")
    machine.write("proc/13/stat", "")
    machine.write("proc/self/cgroup", "nonsense\n::\n")
    machine.write("proc/stat", "cpu x\n")
    machine.write("proc/meminfo", "MemTotal: many\n")
    sample = machine.sampler().sample()
    assert sample == {
        "memory": None,
        "processor": {"used": None, "limit": 8, "source": "machine"},
        "kernels": [],
        "culling": None,
        "canSeeProcesses": False,
    }


def test_ends_with_processes_that_are_their_own_ancestors(machine):
    machine.process(11, 12, PAGE)
    machine.process(12, 11, PAGE)
    assert machine.sampler().sample()["kernels"] == []


def test_reads_from_the_server_when_idle_kernels_end(machine, monkeypatch):
    options = ["--MappingKernelManager.cull_idle_timeout=600", "--MappingKernelManager.cull_connected=True"]
    machine.process(10, 1, arguments=["jupyter-server", *options])
    assert machine.sampler().sample()["culling"] == {"idleSeconds": 600, "endsConnected": True, "endsBusy": False}
    machine.process(10, 1, arguments=["jupyter-server"])
    first, second = {"cull_idle_timeout": "60"}, {"cull_idle_timeout": "900", "cull_busy": "true"}
    monkeypatch.setattr(resources, "_configurations", lambda: [first, second])
    assert machine.sampler().sample()["culling"] == {"idleSeconds": 60, "endsConnected": False, "endsBusy": True}
    monkeypatch.setattr(resources, "_configurations", lambda: [{"cull_idle_timeout": "0"}])
    assert machine.sampler().sample()["culling"] is None


def test_does_without_proc_and_psutil(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "_psutil", lambda: None)
    sample = Sampler(str(tmp_path), str(tmp_path), {}, server=10).sample()
    assert sample["memory"] is None
    assert sample["processor"]["used"] is None
    assert sample["kernels"] == []


@pytest.mark.parametrize("proc", ["/proc", "/nowhere"])
def test_finds_a_real_process(proc, tmp_path):
    if proc == "/nowhere":
        pytest.importorskip("psutil")
    code = "import sys; data = bytearray(60_000_000); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(tmp_path / "kernel-real-1.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        sample = Sampler(proc).sample()
        process.stdin.close()
    [kernel] = [one for one in sample["kernels"] if one["id"] == "real-1"]
    assert 60_000_000 < kernel["memory"] < 200_000_000
    assert sample["memory"]["used"] > 60_000_000


def test_pushes_until_it_is_cancelled():
    class Subscription:
        def __init__(self):
            self.pauses, self.pushed, self.done = [], [], threading.Event()

        def wait(self, seconds):
            self.pauses.append(seconds)
            if len(self.pauses) > 3:
                self.done.set()
            return self.done.is_set()

        def push(self, value):
            self.pushed.append(value)

    subscription = Subscription()
    assert resources.watch_resources({}, subscription) == {}
    assert subscription.done.wait(30)
    assert len(subscription.pushed) == 3
    assert subscription.pauses[0] == 0
    assert min(subscription.pauses[2:]) >= resources.INTERVAL_SECONDS
