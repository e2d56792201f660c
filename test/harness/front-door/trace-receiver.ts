// A receiver of traces (OTLP over HTTP, protobuf) that parses spans itself, and can hang.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LocalServer, serveLocally } from "./local-server.ts";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a span without a parent. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The kind of an error; undefined if the status is not an error. */
  readonly error: string | undefined;
}

export interface TraceReceiver extends LocalServer {
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the resource of the last spans. */
  readonly resource: Readonly<Record<string, string | number>>;
  /** Everything received, including headers, for searches. */
  received(): string;
  /** How to handle requests: `answered`, `refused` with 503, or left `hanging`. */
  mode: "answered" | "refused" | "hanging";
  reset(): void;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let resource: ReceivedSpan["attributes"] = {};
  let bytes: Buffer[] = [];
  const server = await serveLocally(
    createServer((request, response) => {
      void (async () => {
        const body = await buffer(request);
        bytes.push(Buffer.from(JSON.stringify(request.rawHeaders)), body);
        if (receiver.mode === "hanging") return;
        if (receiver.mode === "refused") return response.writeHead(503).end("no room");
        for (const group of fieldsOf(body).get(1) ?? []) {
          const members = fieldsOf(group);
          resource = attributesOf(fieldsOf(first(members, 1)).get(1));
          for (const scope of members.get(2) ?? []) spans.push(...(fieldsOf(scope).get(2) ?? []).map(spanOf));
        }
        return response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
      })();
    }),
  );
  const receiver: TraceReceiver = {
    ...server,
    spans,
    get resource() {
      return resource;
    },
    received: () => Buffer.concat(bytes).toString("latin1"),
    mode: "answered",
    reset() {
      spans.length = 0;
      bytes = [];
    },
  };
  return receiver;
}

function spanOf(bytes: Buffer): ReceivedSpan {
  const members = fieldsOf(bytes);
  const status = fieldsOf(first(members, 15));
  const isError = first(status, 3)[0] === 2;
  return {
    traceId: first(members, 1).toString("hex"),
    spanId: first(members, 2).toString("hex"),
    parentSpanId: first(members, 4).toString("hex"),
    name: first(members, 5).toString(),
    attributes: attributesOf(members.get(9)),
    error: isError ? first(status, 2).toString() : undefined,
  };
}

function attributesOf(pairs: readonly Buffer[] = []): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const members = fieldsOf(pair);
      const value = fieldsOf(first(members, 2));
      const text = value.get(1)?.[0];
      return [first(members, 1).toString(), text === undefined ? numberOf(first(value, 3)) : text.toString()];
    }),
  );
}

type Fields = ReadonlyMap<number, readonly Buffer[]>;

function first(fields: Fields, number: number): Buffer {
  return fields.get(number)?.[0] ?? Buffer.alloc(0);
}

/**
 * The bytes of each field of a message; for a number, its little-endian base-128 groups without the continuation bits.
 */
function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const groups = (): Buffer => {
    const start = at;
    while ((bytes[at] ?? 0) >= 0x80) at += 1;
    at += 1;
    return Buffer.from(bytes.subarray(start, at).map((byte) => byte & 0x7f));
  };
  while (at < bytes.length) {
    const tag = numberOf(groups());
    const kind = tag & 7;
    const length = kind === 2 ? numberOf(groups()) : kind === 1 ? 8 : kind === 5 ? 4 : 0;
    const value = kind === 0 ? groups() : bytes.subarray(at, at + length);
    at += length;
    const number = tag >>> 3;
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function numberOf(groups: Buffer): number {
  return groups.reduceRight((sum, group) => sum * 128 + group, 0);
}
