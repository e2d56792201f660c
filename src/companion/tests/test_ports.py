"""The ports of real programs, on systems that list them."""

import json
import os
import socket
import subprocess
import sys

import pytest

from companion import ports

LISTENS = "import socket; s = socket.socket(); s.bind(('%s', 0)); s.listen(); print(s.getsockname()[1]); input()"


@pytest.fixture
def listening():
    """A function that starts a program that listens. Returns its port."""
    programs = []

    def start(*arguments, address="127.0.0.1"):
        command = [sys.executable, "-u", "-c", LISTENS % address, *arguments]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        programs.append(program)
        return int(program.stdout.readline())

    yield start
    for program in programs:
        program.stdin.close()
        program.wait(timeout=30)
        program.stdout.close()


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="this system has no /proc")


@needs_proc
def test_lists_ports_of_the_loopback_and_of_all_addresses(listening):
    found = [listening(), listening(address="0.0.0.0")]
    listed = {port["port"]: port["name"] for port in ports.listening_ports()}
    assert [port for port in found if port in listed] == found
    assert listed[found[0]].startswith("python")


@needs_proc
def test_leaves_out_the_ports_of_a_kernel_but_not_those_of_an_app_in_it(listening, tmp_path):
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        own.listen()
        file = tmp_path / "kernel.json"
        file.write_text(json.dumps({"shell_port": own.getsockname()[1], "ip": "127.0.0.1"}))
        command = ["python", "-m", "ipykernel_launcher", "-f", str(file)]
        internal = ports._internal_ports(str(os.getpid()), command, {1: "a", own.getsockname()[1]: "b"})
        assert internal == {own.getsockname()[1]}
    assert ports._internal_ports("1234567", ["python", "-m", "debugpy.adapter"], {5678: "a"}) == {5678}


@needs_proc
def test_leaves_out_the_ports_of_kernels_of_all_languages(tmp_path):
    file = tmp_path / "kernel-1.json"
    file.write_text(json.dumps({"shell_port": 41001, "hb_port": 41002, "ip": "127.0.0.1"}))
    owned = {41001: "a", 41002: "b", 8050: "c"}
    for command in (
        ["/usr/lib/R/bin/exec/R", "--slave", "-e", "IRkernel::main()", "--args", str(file)],
        ["python", "-m", "ipykernel_launcher", "--f=" + str(file)],
        ["julia", "kernel.jl", str(file)],
    ):
        assert ports._internal_ports("1234567", command, owned) == {41001, 41002}, command
    assert ports._internal_ports("1234567", ["python", "app.py", "config.json"], owned) == set()
    for content in ("[]", "not JSON", "{}"):
        file.write_text(content)
        assert ports._internal_ports("1234567", ["R", str(file)], owned) == set(owned)


@needs_proc
def test_tells_ports_that_the_system_chose(listening, monkeypatch, tmp_path):
    port = listening()
    ranges = tmp_path / "range"
    monkeypatch.setattr(ports, "EPHEMERAL_RANGE", str(ranges))
    for text, expected in (("%d\t%d\n" % (port, port), True), ("1\t2\n", False)):
        ranges.write_text(text)
        listed = [one["isEphemeral"] for one in ports.listening_ports() if one["port"] == port]
        assert listed == [expected]
    ranges.write_text("")
    assert ports._ephemeral_range() == (32768, 60999)


@needs_proc
def test_looks_at_processes_only_after_a_change(listening, monkeypatch):
    pushed = []
    looks = []

    class Context:
        waits = 0

        def push(self, value):
            pushed.append(value["ports"])

        def wait(self, _seconds):
            self.waits += 1
            if self.waits == 3:
                monkeypatch.setattr(ports, "_listening_sockets", lambda: {"1": 8501})
            return self.waits > 4

    monkeypatch.setattr(ports, "_listening_sockets", dict)
    monkeypatch.setattr(ports, "_processes", lambda: looks.append(1) or [])
    ports._watch({}, [], Context())
    assert len(looks) == 1
    assert [[port["port"] for port in one] for one in pushed] == [[8501]]


def test_reads_addresses_in_the_notation_of_the_system():
    lines = [
        "  sl  local_address rem_address   st",
        "   0: 0100007F:2135 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 11 1",
        "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 12 1",
        "   2: 0200A8C0:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 13 1",
        "   3: 0100007F:1F92 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000 0 14 1",
        "   4: 00000000000000000000000001000000:1F93 0:0 0A 0:0 0:0 0 1000 0 15 1",
        "   5: 0000000000000000FFFF00000100007F:1F94 0:0 0A 0:0 0:0 0 1000 0 16 1",
        "broken",
    ]
    found = list(ports._sockets("\n".join(lines)))
    assert found == [(8501, "11"), (8080, "12"), (8083, "15"), (8084, "16")]


def test_names_the_program():
    assert ports._name_of("1", ["/usr/bin/python3", "-m", "http.server", "8000"]) == "http.server"
    assert ports._name_of("1", ["/usr/bin/python3", "/usr/bin/streamlit", "run"]) == "streamlit"
    assert ports._name_of("1", ["/usr/sbin/nginx"]) == "nginx"
    assert ports._name_of("1", []) == ""
    assert ports._name_of("1", ["python", "-m", "ipykernel_launcher", "-f", "/run/kernel-1.json"]) == "kernel"
