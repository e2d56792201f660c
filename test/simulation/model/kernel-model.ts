import type {
  Fields,
  IncomingMessage,
  KernelChannel,
  MessageHeader,
} from "../../../src/api/kernels/wire/kernel-message.ts";
import { Evaluation } from "./evaluation.ts";
import type { KernelRequest, MessageFactory } from "./kernel-messages.ts";
import type { KernelObserver, KernelOutcome } from "./kernel-observer.ts";
import type { KernelOptions, KernelProcess } from "./kernel-process.ts";
import { parseProgram } from "./program.ts";
import { ProgramRun } from "./program-run.ts";
import type { Random } from "./random.ts";
import type { RecorderModel } from "./recorder-model.ts";
import { ShellQueue } from "./shell-queue.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Where a kernel's messages go. */
export interface KernelPort {
  publish(message: IncomingMessage): void;
  reply(identity: string, message: IncomingMessage): void;
  /** The process ended. */
  exited(): void;
}

/** A kernel's process. It handles requests on its shells one after the other, and on the control channel at once. */
export class KernelModel implements KernelProcess {
  readonly options: KernelOptions;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly observer: KernelObserver;
  readonly #port: KernelPort;
  readonly #messages: MessageFactory;
  readonly #main: ShellQueue;
  readonly #control: ShellQueue;
  readonly #subshells = new Map<string, ShellQueue>();
  readonly #evaluation = new Evaluation(this);
  #subshellCount = 0;
  #executionCount = 0;
  #run: ProgramRun | undefined;
  #isAlive = true;
  /** The header of the request that a shell handled last. Threads write to it. */
  #shellParent: MessageHeader | undefined;
  /** Ids of requests that must not run. */
  readonly #withdrawn = new Set<string>();
  recorder: RecorderModel | undefined;

  constructor(
    clock: VirtualClock,
    random: Random,
    options: KernelOptions,
    {
      messages,
      port,
      observer,
    }: { readonly messages: MessageFactory; readonly port: KernelPort; readonly observer: KernelObserver },
  ) {
    this.clock = clock;
    this.random = random;
    this.options = options;
    this.observer = observer;
    this.#port = port;
    this.#messages = messages;
    this.#main = new ShellQueue(this, (request) => this.#dispatch(request, this.#main));
    this.#control = new ShellQueue(this, (request) => this.#handleControl(request));
    this.after(0, () => this.#send("iopub", "status", undefined, { execution_state: "starting" }));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Runs the work after this time if the process is still alive. */
  after(milliseconds: number, work: () => void): void {
    this.clock.schedule(milliseconds, () => {
      if (this.#isAlive) work();
    });
  }

  /** Takes a message from a client. */
  receive(request: KernelRequest): void {
    if (!this.#isAlive) return;
    const { channel, header } = request.message;
    switch (channel) {
      case "control":
        this.#control.add(request);
        break;
      case "stdin":
        this.#run?.input(String(request.message.content.value));
        break;
      case "shell": {
        const id = header.subshell_id ?? undefined;
        const queue = id === undefined ? this.#main : this.#subshells.get(id);
        if (queue === undefined) this.#refuseSubshell(request);
        else queue.add(request);
        break;
      }
    }
  }

  /** Interrupts the code that the main shell runs, if it runs any. */
  interrupt(): void {
    this.#run?.interrupt();
  }

  /** Ends the process. `isAnnounced`: it says so first. */
  end(isAnnounced: "restart" | "shutDown" | undefined): void {
    if (!this.#isAlive) return;
    if (isAnnounced !== undefined) {
      this.#send("iopub", "shutdown_reply", this.#serverHeader("shutdown_request"), {
        status: "ok",
        restart: isAnnounced === "restart",
      });
    }
    this.#isAlive = false;
    this.observer.ended();
    this.#port.exited();
  }

  /** Publishes an output of the main shell's code, or of a thread. */
  output(type: string, content: Fields, parent: MessageHeader | undefined): void {
    this.#send("iopub", type, parent, content);
  }

  /** Makes threads write to the cell that began last, as reading the recorder does. */
  giveBack(): void {
    this.#shellParent = this.recorder?.parent ?? this.#shellParent;
  }

  get threadParent(): MessageHeader | undefined {
    return this.#shellParent;
  }

  withdraw(ids: readonly string[]): void {
    for (const id of ids) this.#withdrawn.add(id);
  }

  ask(parent: KernelRequest): void {
    this.observer.asked(parent.message.header.msg_id);
    this.#reply("stdin", "input_request", parent, { prompt: "?", password: false });
  }

  echo(value: string, parent: MessageHeader): void {
    this.recorder?.echo(this.#messages.message("iopub", "stream", parent, { name: "stdout", text: `?${value}\n` }));
  }

  #dispatch(request: KernelRequest, queue: ShellQueue): void {
    const { header, content, metadata = {} } = request.message;
    this.#shellParent = header;
    this.#status("busy", header);
    const run = metadata.platform_workbench_run;
    const runId = typeof run === "string" ? run : undefined;
    const idle = (): void => this.#finish(request, queue);
    switch (header.msg_type) {
      case "execute_request": {
        const isSilent = content.silent === true;
        if (!isSilent) this.observer.received(header.msg_id, this.recorder !== undefined);
        const isRefused =
          queue.isAborting ||
          this.#withdrawn.has(header.msg_id) ||
          this.recorder?.refuses(header.msg_id, runId) === true;
        if (isRefused) {
          this.#reply("shell", "execute_reply", request, { status: "aborted" });
          if (!isSilent) this.observer.finished(header.msg_id, "aborted");
          idle();
        } else if (isSilent) {
          this.after(this.random.next(), () => {
            this.#reply("shell", "execute_reply", request, this.#evaluation.reply(content));
            idle();
          });
        } else {
          this.#execute(request, queue);
        }
        break;
      }
      case "kernel_info_request":
        this.#reply("shell", "kernel_info_reply", request, this.#information());
        idle();
        break;
      case "comm_open":
      case "comm_msg":
      case "comm_close":
        idle();
        break;
      default:
        idle();
    }
  }

  #execute(request: KernelRequest, queue: ShellQueue): void {
    const { header, content } = request.message;
    this.#executionCount += 1;
    const count = this.#executionCount;
    this.#send("iopub", "execute_input", header, { code: content.code, execution_count: count });
    this.observer.began(header.msg_id);
    this.#run = new ProgramRun(this, request, parseProgram(String(content.code)), (outcome) => {
      this.#run = undefined;
      this.#end(request, { outcome, count, queue });
    });
    this.#run.start();
  }

  #end(
    request: KernelRequest,
    { outcome, count, queue }: { readonly outcome: KernelOutcome; readonly count: number; readonly queue: ShellQueue },
  ): void {
    const { header, content } = request.message;
    this.observer.finished(header.msg_id, outcome);
    if (outcome !== "noReply") {
      this.#reply("shell", "execute_reply", request, { status: outcome, execution_count: count, payload: [] });
    }
    if (outcome === "error" && content.stop_on_error !== false) queue.abort();
    this.#finish(request, queue);
  }

  #finish({ message }: KernelRequest, queue: ShellQueue): void {
    this.#status("idle", message.header);
    queue.done();
  }

  #handleControl(request: KernelRequest): void {
    const { header, content } = request.message;
    this.#status("busy", header);
    const hasSubshells = this.options.kind === "subshells";
    switch (header.msg_type) {
      case "kernel_info_request":
        this.#reply("control", "kernel_info_reply", request, this.#information());
        break;
      case "create_subshell_request":
        if (hasSubshells) {
          this.#subshellCount += 1;
          const id = `${this.#messages.session}-subshell-${this.#subshellCount}`;
          const queue: ShellQueue = new ShellQueue(this, (own) => this.#dispatch(own, queue));
          this.#subshells.set(id, queue);
          this.#reply("control", "create_subshell_reply", request, { status: "ok", subshell_id: id });
        }
        break;
      case "delete_subshell_request":
        if (hasSubshells) {
          const isKnown = this.#subshells.delete(String(content.subshell_id));
          this.#reply("control", "delete_subshell_reply", request, { status: isKnown ? "ok" : "error" });
        }
        break;
      case "abort_request":
        if (this.options.kind === "plain" && Array.isArray(content.msg_ids)) {
          this.withdraw(content.msg_ids.map(String));
          this.#reply("control", "abort_reply", request, { status: "ok" });
        }
        break;
    }
    this.#status("idle", header);
    this.#control.done();
  }

  /** Number of subshells that nobody has deleted. */
  get subshells(): number {
    return this.#subshells.size;
  }

  #refuseSubshell(request: KernelRequest): void {
    const { header } = request.message;
    this.#status("busy", header);
    const type = header.msg_type.replace(/_request$/, "_reply");
    this.#reply("shell", type, request, { status: "error", ename: "UnknownSubshellError", evalue: "", traceback: [] });
    this.#status("idle", header);
  }

  #information(): Fields {
    const { kind } = this.options;
    const isPython = kind !== "other";
    return {
      status: "ok",
      protocol_version: "5.4",
      implementation: isPython ? "ipython" : "bash",
      language_info: { name: isPython ? "python" : "bash" },
      banner: "",
      supported_features: kind === "subshells" ? ["kernel subshells"] : [],
    };
  }

  #serverHeader(type: string): MessageHeader {
    return { msg_id: `server-${type}`, msg_type: type, session: "server" };
  }

  #status(state: "busy" | "idle", parent: MessageHeader): void {
    this.#send("iopub", "status", parent, { execution_state: state });
  }

  #reply(channel: KernelChannel, type: string, { message, identity }: KernelRequest, content: Fields): void {
    const reply = this.#recorded(this.#messages.message(channel, type, message.header, content));
    this.#port.reply(identity, reply);
  }

  #send(channel: KernelChannel, type: string, parent: MessageHeader | undefined, content: Fields): void {
    const message = this.#recorded(this.#messages.message(channel, type, parent, content));
    this.observer.published(message);
    this.#port.publish(message);
  }

  #recorded(message: IncomingMessage): IncomingMessage {
    const { recorder } = this;
    if (recorder === undefined) return message;
    const recorded = recorder.record(message);
    if (recorder.hasEvicted) this.observer.evicted();
    return recorded;
  }
}
