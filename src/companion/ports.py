"""The ports on which programs of this machine listen, from /proc. Other systems than Linux report none.

Left out are the ports of Jupyter itself, of its kernels, and of debuggers, which nobody opens in a browser.
"""

import json
import os
import threading
import time

from .protocol import subscription

INTERVAL_SECONDS = 2.0
# A look that takes long is followed by a pause that is as many times as long.
PAUSE_FACTOR = 20
MAX_PORTS = 200
MAX_NAME_LENGTH = 100
LISTENING = "0A"
MAX_FILE_BYTES = 1024 * 1024
EPHEMERAL_RANGE = "/proc/sys/net/ipv4/ip_local_port_range"
# Parts of a command of programs whose ports are their own matter.
INTERNAL = ("debugpy", "jupyterhub-singleuser", "jupyter-lab", "jupyter-server", "jupyter-notebook", "jupyter_server")


@subscription("ports.watch")
def watch_ports(parameters, context):
    is_known = os.path.exists("/proc/net/tcp")
    sockets = _listening_sockets() if is_known else {}
    ports = _ports_of(sockets)
    if is_known:
        threading.Thread(target=_watch, args=(sockets, ports, context), daemon=True).start()
    return {"isKnown": is_known, "ports": ports}


def _watch(sockets, reported, context):
    pause = INTERVAL_SECONDS
    while not context.wait(pause):
        started = time.monotonic()
        current = _listening_sockets()
        # Which program has a socket takes a look at the files of all processes.
        if current != sockets:
            sockets = current
            ports = _ports_of(sockets)
            if ports != reported:
                reported = ports
                context.push({"ports": ports})
        pause = max(INTERVAL_SECONDS, (time.monotonic() - started) * PAUSE_FACTOR)


def listening_ports():
    """Return the ports in ascending order, with the names of their programs, as far as they are known."""
    return _ports_of(_listening_sockets())


def _listening_sockets():
    """Return the ports by the inodes of their sockets."""
    inodes = {}
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        for port, inode in _sockets(_text(name)):
            inodes[inode] = port
    return inodes


def _ports_of(inodes):
    if not inodes:
        return []
    found = {}
    known = set()
    internal = set()
    for process in _processes():
        owned = {inodes[inode]: inode for inode in _inodes_of(process) if inode in inodes}
        if not owned:
            continue
        known.update(owned.values())
        command = [part for part in _text("/proc/%s/cmdline" % process).split("\0") if part]
        own = _internal_ports(process, command, owned)
        internal.update(own)
        for port in owned:
            if port not in own:
                found.setdefault(port, _name_of(process, command))
    for inode, port in inodes.items():
        # Of another user, or of another container that shares the network.
        if inode not in known:
            found.setdefault(port, "")
    low, high = _ephemeral_range()
    ports = sorted(port for port in found if port not in internal)
    return [{"port": port, "name": found[port], "isEphemeral": low <= port <= high} for port in ports[:MAX_PORTS]]


def _ephemeral_range():
    """Return the first and the last port that the system assigns to programs that ask for any port."""
    try:
        low, high = (int(number) for number in _text(EPHEMERAL_RANGE).split())
    except ValueError:
        return 32768, 60999
    return low, high


def _sockets(text):
    """Return ports and inodes of the sockets that listen on the loopback, or on all addresses."""
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < 10 or fields[3] != LISTENING:
            continue
        address, _, port = fields[1].rpartition(":")
        if _is_local(address):
            yield int(port, 16), fields[9]


def _is_local(address):
    """Whether a hexadecimal address is any address, or one of the loopback."""
    if set(address) == {"0"}:
        return True
    if len(address) == 8:
        return address.endswith("7F")
    return address.endswith("01000000") and set(address[:-8]) == {"0"} or address.endswith("FFFF00000100007F")


def _processes():
    try:
        return [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _inodes_of(process):
    folder = "/proc/%s/fd" % process
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        try:
            target = os.readlink("%s/%s" % (folder, name))
        except OSError:
            continue
        if target.startswith("socket:["):
            yield target[8:-1]


def _internal_ports(process, command, owned):
    if int(process) == os.getppid() or any(part in argument for argument in command[:4] for part in INTERNAL):
        return set(owned)
    # A kernel may also serve something else, such as an app that runs in a cell.
    ports = set()
    files = _connection_files(command)
    for name in files:
        try:
            connection = json.loads(_text(name))
        except ValueError:
            continue
        if isinstance(connection, dict):
            ports.update(value for key, value in connection.items() if key.endswith("_port"))
    is_unknown_kernel = not ports and (files or _is_ipykernel(command))
    return set(owned) if is_unknown_kernel else ports


def _is_ipykernel(command):
    return any("ipykernel" in argument for argument in command[:4])


def _connection_files(command):
    """Return the names of the file that a kernel of any language gets from Jupyter, which has its ports."""
    values = [argument.rpartition("=")[2] if argument.startswith("-") else argument for argument in command]
    named = [value for value in values if value.endswith(".json") and os.path.basename(value).startswith("kernel-")]
    after = [value for before, value in zip(command, command[1:]) if before == "-f" and value.endswith(".json")]
    return (named + (after if _is_ipykernel(command) else []))[:2]


def _name_of(process, command):
    """For example `streamlit`: the module or the script of an interpreter, or else the program."""
    if _connection_files(command):
        name = "kernel"
    elif "-m" in command[:3] and command.index("-m") + 1 < len(command):
        name = command[command.index("-m") + 1]
    else:
        scripts = [part for part in command[1:2] if not part.startswith("-")]
        is_interpreter = os.path.basename(command[0]).startswith(("python", "node")) if command else False
        name = os.path.basename(scripts[0] if is_interpreter and scripts else command[0]) if command else ""
    return "".join(character for character in name if character.isprintable())[:MAX_NAME_LENGTH]


def _text(name):
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return ""
