import { inputEchoMember, publishedNumberMember, runMember } from "../wire/kernel-message.ts";

/** Limits of the recorder: bytes and number of messages. Beyond them, the oldest messages are dropped. */
export interface RecorderLimits {
  readonly bytes: number;
  readonly messages: number;
}

/** The recorder's module in the kernel's `sys.modules`. The user's namespace does not contain it. */
const moduleName = "_platform_workbench_recorder";

/**
 * Wraps the one method with which ipykernel serializes messages, for all threads and streams. Keeps the serialized
 * messages in a ring buffer, and numbers the published ones. Wraps the execution handler to abort executions whose run
 * has failed, and the input request to keep what the user entered (no passwords). The user's code, display hooks, and streams are not changed.
 */
const source = `
import collections, itertools, os, sys, threading, types

def install(name, most_bytes, most_messages, own, number_member, run_member, input_member):
    if name in sys.modules:
        return True
    from ipykernel.kernelbase import Kernel
    kernel = Kernel.instance() if Kernel.initialized() else None
    if kernel is None:
        from ipykernel.kernelapp import IPKernelApp
        kernel = IPKernelApp.instance().kernel
    session = kernel.session
    serialize = session.serialize
    process = os.getpid()
    lock = threading.RLock()
    ring = collections.deque()
    module = types.ModuleType(name)
    module.last = 0
    module.published = 0
    module.bytes = 0
    module.parent = None
    module.run = None
    module.asked = None
    failed_runs = collections.deque(maxlen=100)
    outputs = ("stream", "display_data", "execute_result", "update_display_data", "error", "clear_output")
    channels = dict.fromkeys((*outputs, "execute_input", "status"), "iopub")
    channels.update(execute_reply="shell", input_request="stdin")

    def adopt(msg):
        # A cell may write while the kernel handles another request, for example one that reads the recorder, or the
        # server's question for the kernel's information: what names that as its parent is the cell's.
        header = msg.get("parent_header") or {}
        kind = header.get("msg_type") or ""
        is_own = (header.get("msg_id") or "").startswith(own) and not kind.startswith("comm_")
        is_other = is_own or kind == "kernel_info_request"
        if is_other and module.parent is not None and msg["header"]["msg_type"] in outputs:
            return {**msg, "parent_header": module.parent}
        return msg

    def record(msg, ident=None):
        channel = None
        try:
            msg = adopt(msg)
            note_failure(msg)
            channel = channel_of(msg)
            if channel == "iopub":
                msg = numbered(msg)
            elif channel == "stdin":
                module.asked = msg["header"]["msg_id"]
        except Exception:
            pass
        parts = serialize(msg, ident)
        try:
            if channel:
                keep(msg["header"]["msg_id"], channel, [bytes(part) for part in parts[-4:]])
        except Exception:
            pass
        return parts

    def note_failure(msg):
        is_error = msg["header"]["msg_type"] == "execute_reply" and (msg.get("content") or {}).get("status") == "error"
        if is_error and module.run is not None and module.run[0] == (msg.get("parent_header") or {}).get("msg_id"):
            failed_runs.append(module.run[1])

    def execute(stream, ident, parent):
        run = (parent.get("metadata") or {}).get(run_member)
        if run is not None and run in failed_runs:
            # The kernel itself aborts only what it had received when the cell failed.
            return kernel._send_abort_reply(stream, parent, ident)
        if run is not None:
            module.run = (parent["header"]["msg_id"], run)
        return execute_request(stream, ident, parent)

    def channel_of(msg):
        kind = msg["header"]["msg_type"]
        parent = (msg.get("parent_header") or {}).get("msg_id") or ""
        if kind == "execute_input" and not parent.startswith(own):
            module.parent = msg["parent_header"]
        is_own = parent.startswith(own) and kind in ("status", "execute_reply", "execute_input")
        if not parent or is_own or os.getpid() != process:
            return None
        return "iopub" if kind == "comm_msg" and catches(msg) else channels.get(kind)

    def numbered(msg):
        with lock:
            module.published += 1
            return {**msg, "header": {**msg["header"], number_member: module.published}}

    def catches(msg):
        # A widget begins or ends to catch a cell's output: what follows is not the cell's.
        return "msg_id" in ((msg.get("content") or {}).get("data") or {}).get("state", ())

    def keep(msg_id, channel, parts):
        size = sum(map(len, parts)) + 300
        with lock:
            module.last += 1
            ring.append((module.last, msg_id, channel, parts, size))
            module.bytes += size
            while ring and (module.bytes > most_bytes or len(ring) > most_messages):
                module.bytes -= ring.popleft()[4]

    def ask(prompt, ident, parent, password=False):
        value = input_request(prompt, ident, parent, password=password)
        try:
            echo(prompt, "\\u00b7" * 8 if password else value, parent)
        except Exception:
            pass
        return value

    def echo(prompt, value, parent):
        # The client shows what the user enters. A later client reads it here: it is not published.
        content = {"name": "stdout", "text": "%s%s\\n" % (prompt, value)}
        msg = session.msg("stream", content, parent=parent, metadata={input_member: module.asked})
        keep(msg["header"]["msg_id"], "iopub", [bytes(part) for part in serialize(msg)[-4:]])

    class Page:
        def __init__(self, text):
            self.text = text
        def _repr_mimebundle_(self, **_):
            return {"text/plain": self.text}

    def give_back():
        # Threads write to the cell that ran last: this request is none.
        for stream in (sys.stdout, sys.stderr):
            if module.parent is not None and hasattr(stream, "_parent_header_global"):
                stream._parent_header_global = module.parent

    def read(after, ids, page_bytes):
        give_back()
        with lock:
            entries = list(ring)
            last = module.last
        is_known = True
        if ids:
            known = set(ids)
            found = next((entry[0] for entry in reversed(entries) if entry[1] in known), None)
            is_known = found is not None
            after = found or 0
        first = entries[0][0] if entries else last + 1
        texts, size = [], 0
        for number, _, channel, parts, length in itertools.islice(entries, max(0, after + 1 - first), None):
            if texts and size + length > page_bytes:
                break
            size += length
            texts.append('[%d,"%s",%s]' % (number, channel, ",".join(part.decode("utf-8") for part in parts)))
        return Page('{"after":%d,"known":%s,"first":%d,"last":%d,"entries":[%s]}' % (
            after, "true" if is_known else "false", first, last, ",".join(texts)))

    module.read = read
    sys.modules[name] = module
    session.serialize = record
    execute_request = kernel.shell_handlers["execute_request"]
    kernel.shell_handlers["execute_request"] = execute
    input_request = kernel._input_request
    kernel._input_request = ask
    return False
`;

/**
 * Python expression that installs the recorder in a separate namespace. Its value is `True` if the recorder is already
 * installed.
 */
export function installationExpression({ bytes, messages }: RecorderLimits, internalPrefix: string): string {
  const texts = [internalPrefix, publishedNumberMember, runMember, inputEchoMember].map(pythonText);
  const call = `install(${[pythonText(moduleName), bytes, messages, ...texts].join(", ")})`;
  const code = pythonText(`${source}\nwas_there = ${call}\n`);
  const namespace = `{"__name__": ${pythonText(moduleName)}}`;
  return `(lambda n: (__import__("builtins").exec(${code}, n), n["was_there"])[1])(${namespace})`;
}

/** Python expression for a page of the messages after a number, or after the newest of the messages with these ids. */
export function readingExpression(after: number, ids: readonly string[], pageBytes: number): string {
  const module = `__import__("sys").modules[${pythonText(moduleName)}]`;
  return `${module}.read(${after}, [${ids.map(pythonText).join(", ")}], ${pageBytes})`;
}

/** A Python string literal: JSON in ASCII is valid Python. */
export function pythonText(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
