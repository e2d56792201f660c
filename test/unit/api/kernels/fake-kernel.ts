import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { Client } from "../../../../src/api/client/client.ts";
import { type Clock, systemClock } from "../../../../src/api/clock.ts";
import { NotebookToken } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import type { KernelConnection } from "../../../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../../src/api/kernels/connection/open-connection.ts";
import type { JournalEntry } from "../../../../src/api/kernels/executions/execution-journal.ts";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { until } from "../../../harness/until.ts";
import { MemoryJournal } from "../../../kernels/rig.ts";
import { acceptedSocket } from "./accepted-socket.ts";

interface Header {
  readonly msg_id: string;
  readonly msg_type: string;
}

/** A request that the kernel received. */
export interface KernelRequest {
  readonly channel: string;
  readonly header: Header;
  readonly content: Readonly<Record<string, unknown>>;
}

const fakeInformation = { status: "ok", implementation: "fake", language_info: { name: "fake" } };

/** A kernel whose messages are all sent by a test, and the connection to it. */
export interface FakeKernel {
  readonly connection: KernelConnection;
  /** The requests that the kernel received, without those at the beginning of a connection, which are answered. */
  readonly requests: readonly KernelRequest[];
  /** IDs of requests that interrupted the kernel. */
  readonly interrupts: readonly string[];
  /** Number of pongs that the client has sent without a ping. */
  readonly acknowledgments: number;
  /** Requests to restart the kernel that wait for the server's response. */
  readonly restarts: ((status: number) => void)[];
  /** The content of the journal. */
  journal(): readonly JournalEntry[];
  /** `number`: the consecutive number that a recorder assigns to published messages. */
  publish(parent: Header, type: string, content: object, number?: number): void;
  /** Like `publish`, but with the client's session: a notice of the server. */
  notify(parent: Header, type: string, content: object): void;
  reply(request: KernelRequest, content: object): void;
  /** The kernel's state as reported on iopub. */
  status(parent: Header, state: "busy" | "idle"): void;
  /** The next request of the type that was not taken yet. */
  taken(type: string): Promise<KernelRequest>;
  /** The kernel answers the next evaluation, in a subshell. */
  evaluates(text: string, subshell?: KernelRequest): Promise<void>;
  /** The kernel answers the request that was sent after all others. */
  repliesToInput(): Promise<void>;
  /** Executes code, and returns the events of the sink. */
  run(code: string): Promise<FakeExecution>;
}

interface FakeExecution {
  readonly request: KernelRequest;
  readonly events: readonly ExecutionEvent[];
  /** `pending` while it has not ended. */
  outcome(): string;
}

interface FakeKernelOptions {
  /** The information with which it introduces itself. */
  readonly information?: object;
  /** True for a kernel that answers the first requests of a connection only on its control channel. */
  readonly isBusy?: boolean;
  readonly recorder?: "on" | "off";
  /** The executions that an earlier window sent. */
  readonly entries?: readonly JournalEntry[];
  /** Id of the last recorded message that an earlier window received. */
  readonly deliveredId?: string;
  /** The clock of the connection. Default: the system's. */
  readonly clock?: Clock;
}

/** The introduction of a Python kernel that supports a recorder. */
export const pythonInformation = {
  status: "ok",
  implementation: "ipython",
  language_info: { name: "python" },
  supported_features: ["kernel subshells"],
};

/** Opens a connection to a Python kernel with a recorder. */
export async function openFakePython(): Promise<FakeKernel> {
  const kernel = await openFakeKernel({ information: pythonInformation, recorder: "on" });
  await kernel.evaluates("True");
  return kernel;
}

/** Opens a connection to a kernel that the test controls. */
export async function openFakeKernel({
  information = fakeInformation,
  isBusy = false,
  recorder = "off",
  entries = [],
  deliveredId,
  clock = systemClock,
}: FakeKernelOptions = {}): Promise<FakeKernel> {
  const base = new URL("https://notebooks.example.com/user/alice/4f7c21aa/");
  const requests: KernelRequest[] = [];
  const untaken: KernelRequest[] = [];
  const interrupts: string[] = [];
  const restarts: FakeKernel["restarts"] = [];
  let stream: Duplex | undefined;
  let introductions = 0;
  let acknowledgments = 0;
  const journal = new MemoryJournal();
  await journal.replace("k-1", { sessionId: "ours", entries, deliveredId });
  const client = new Client(
    {
      kind: "notebook",
      base,
      dialect: dialects.documented,
      limits: singleUserLimits,
      credential: new NotebookToken(base.origin, "s3cret-token"),
    },
    {
      send: async ({ url }) => {
        if (url.pathname.endsWith("/interrupt")) interrupts.push(url.pathname);
        const isRestart = url.pathname.endsWith("/restart");
        const status = isRestart ? await new Promise<number>((resolve) => restarts.push(resolve)) : 204;
        const body = Buffer.from(isRestart ? JSON.stringify({ id: "k-1", name: "python3" }) : "");
        return { status, headers: { "content-type": "application/json" }, body };
      },
      openSocket: async (request) => {
        const { own, response } = acceptedSocket(request);
        stream = own;
        own.on(
          "data",
          readerOf(take, () => {
            acknowledgments += 1;
          }),
        );
        return response;
      },
      close: async () => {},
    },
  );

  function take(request: KernelRequest): void {
    const isResponded = request.channel === "control" || !isBusy;
    if (request.header.msg_type === "kernel_info_request" && introductions < 2 && isResponded) {
      introductions += 1;
      reply(request, information);
      status(request.header, "idle");
      return;
    }
    requests.push(request);
    untaken.push(request);
  }

  function send(
    channel: string,
    parent: Header,
    type: string,
    content: object,
    { session = "the kernel's", number }: { readonly session?: string; readonly number?: number | undefined } = {},
  ): void {
    const header = {
      msg_id: randomUUID(),
      msg_type: type,
      session,
      date: new Date().toISOString(),
      ...(number === undefined ? {} : { platform_workbench_number: number }),
    };
    const json = JSON.stringify({ channel, header, parent_header: parent, metadata: {}, content });
    stream?.write(textFrame(json));
  }

  function reply({ channel, header }: KernelRequest, content: object): void {
    send(channel, header, header.msg_type.replace("_request", "_reply"), content);
  }

  function status(parent: Header, state: "busy" | "idle"): void {
    send("iopub", parent, "status", { execution_state: state });
  }

  const connection = await openKernelConnection({
    client: async () => client,
    kernelId: "k-1",
    journal,
    recorder,
    clock,
  });
  await connection.ready();
  const taken: FakeKernel["taken"] = (type) => {
    const take = (): KernelRequest | undefined => {
      const index = untaken.findIndex(({ header }) => header.msg_type === type);
      return index < 0 ? undefined : untaken.splice(index, 1)[0];
    };
    return until(`a message ${type}`, take, { seen: () => untaken.map(({ header }) => header.msg_type).join(", ") });
  };
  const evaluates: FakeKernel["evaluates"] = async (text, subshell) => {
    reply(subshell ?? (await taken("create_subshell_request")), { status: "ok", subshell_id: "s-1" });
    const request = await taken("execute_request");
    const value = { status: "ok", data: { "text/plain": text } };
    reply(request, { status: "ok", user_expressions: { value } });
    status(request.header, "idle");
  };
  const repliesToInput: FakeKernel["repliesToInput"] = async () => {
    const question = await taken("kernel_info_request");
    reply(question, { status: "ok" });
    status(question.header, "idle");
  };
  return {
    connection,
    requests,
    get acknowledgments() {
      return acknowledgments;
    },
    interrupts,
    restarts,
    reply,
    status,
    taken,
    evaluates,
    repliesToInput,
    journal: () => journal.stored.get("k-1")?.entries ?? [],
    publish: (parent, type, content, number) => send("iopub", parent, type, content, { number }),
    notify: (parent, type, content) => send("iopub", parent, type, content, { session: "ours" }),
    async run(code) {
      const events: ExecutionEvent[] = [];
      let outcome = "pending";
      const [execution] = await connection.execute([
        { code, cellId: undefined, cellIndex: 0, sink: { onEvents: (more) => void events.push(...more) } },
      ]);
      void execution?.ended.then(({ type }) => {
        outcome = type;
      });
      return { request: await taken("execute_request"), events, outcome: () => outcome };
    },
  };
}

/** Reads the masked text frames of a client. `onPong` is called for each pong. */
export function readerOf(
  take: (request: KernelRequest) => void,
  onPong: () => void = () => {},
): (part: Buffer) => void {
  let buffered = Buffer.alloc(0);
  return (part) => {
    buffered = Buffer.concat([buffered, part]);
    for (;;) {
      const short = (buffered[1] ?? 0) & 0x7f;
      const start = short === 127 ? 14 : short === 126 ? 8 : 6;
      if (buffered.length < start) return;
      const length =
        short === 127 ? Number(buffered.readBigUInt64BE(2)) : short === 126 ? buffered.readUInt16BE(2) : short;
      if (buffered.length < start + length) return;
      const mask = buffered.subarray(start - 4, start);
      const data = buffered.subarray(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      const code = (buffered[0] ?? 0) & 0x0f;
      buffered = buffered.subarray(start + length);
      if (code === 10) onPong();
      if (code === 1) take(JSON.parse(Buffer.from(data).toString()));
    }
  };
}

export function textFrame(text: string): Buffer {
  const data = Buffer.from(text);
  const head = data.length < 126 ? Buffer.from([0x81, data.length]) : Buffer.from([0x81, 126, 0, 0]);
  if (data.length >= 126) head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, data]);
}
