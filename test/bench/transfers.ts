import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, request } from "undici";
import { createTransport } from "../../src/api/http/transport.ts";
import type { FilesClient } from "../faults/client.ts";
import type { BenchServer } from "./content-place.ts";
import { median } from "./statistics.ts";

export interface TransferFigures {
  readonly action: "open" | "save";
  readonly bytes: number;
  /** Medians. The plain loop moves the same bytes over the same endpoint. */
  readonly seconds: number;
  readonly plainSeconds: number;
  readonly ratio: number;
  /** The peak memory beyond the memory in use before. */
  readonly peakBytes: number;
  readonly requests: number;
}

const sizes = [1_000_000, 10_000_000, 50_000_000, 100_000_000] as const;
const rounds = 5;
/** The size of the parts in which the API layer sends files. */
const chunkBytes = 8 * 1024 * 1024;
const chunkedAbove = 16_000_000;
const rawFrom = 4_000_000;

/** Opens and saves files through the extension's file system, alternating with plain loops over the same endpoints. */
export async function measureTransfers(
  server: BenchServer,
  say: (line: string) => void,
): Promise<readonly TransferFigures[]> {
  await import("../harness/editor-stand-in/register.ts");
  const { FilesClient } = await import("../faults/client.ts");
  const transport = createTransport();
  let requests = 0;
  const counting = {
    send: (...all: Parameters<typeof transport.send>) => {
      requests += 1;
      return transport.send(...all);
    },
    close: () => transport.close(),
  };
  const place = { origin: server.origin, prefix: "/", token: server.token };
  const client = await FilesClient.connect(place, { transport: counting });
  const plain = new PlainClient(server);
  const figures: TransferFigures[] = [];
  try {
    for (const bytes of sizes) {
      for (const action of ["open", "save"] as const) {
        say(`${action} ${bytes / 1e6} MB`);
        const job = action === "open" ? openJob(client, plain, server) : saveJob(client, plain, server);
        figures.push(await compare(action, bytes, job, () => requests));
      }
    }
    return figures;
  } finally {
    client.dispose();
    await plain.close();
    await transport.close();
  }
}

interface Job {
  /** Before each round, outside of the measurement. */
  prepare(name: string, content: Buffer): Promise<void>;
  ours(name: string, content: Buffer): Promise<void>;
  plain(name: string, content: Buffer): Promise<void>;
}

function openJob(client: FilesClient, plain: PlainClient, server: BenchServer): Job {
  return {
    prepare: async (name, content) => {
      await writeFile(join(server.root, name), content);
      client.refresh();
      await client.files.readDirectory(client.uri(""));
    },
    ours: async (name, content) => sameBytes(await client.files.readFile(client.uri(name)), content),
    plain: async (name, content) => sameBytes(await plain.read(name, content.byteLength), content),
  };
}

function saveJob(client: FilesClient, plain: PlainClient, server: BenchServer): Job {
  return {
    prepare: async (name, content) => {
      await writeFile(join(server.root, name), content);
      client.refresh();
      await client.files.readDirectory(client.uri(""));
      await client.files.readFile(client.uri(name));
    },
    ours: async (name, content) => {
      content.writeUInt32BE(Math.trunc(Math.random() * 2 ** 32));
      await client.files.writeFile(client.uri(name), content, { create: true, overwrite: true });
    },
    plain: async (name, content) => plain.write(`plain-${Math.random()}-${name}`, content),
  };
}

async function compare(
  action: "open" | "save",
  bytes: number,
  job: Job,
  requests: () => number,
): Promise<TransferFigures> {
  const name = `${action}-${bytes}.bin`;
  const content = randomBytes(bytes);
  const ours: number[] = [];
  const plain: number[] = [];
  const peaks: number[] = [];
  let sent = 0;
  for (let round = 0; round <= rounds; round += 1) {
    await job.prepare(name, content);
    // Alternating, and each one first in every other round, so that side effects of one on the other even out.
    for (const turn of round % 2 === 0 ? (["ours", "plain"] as const) : (["plain", "ours"] as const)) {
      globalThis.gc?.();
      const before = process.memoryUsage().rss;
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 10);
      const sentBefore = requests();
      const started = performance.now();
      await job[turn](name, content);
      const seconds = (performance.now() - started) / 1000;
      clearInterval(watch);
      // The first round warms up both.
      if (round > 0) (turn === "ours" ? ours : plain).push(seconds);
      if (turn === "ours") {
        sent = requests() - sentBefore;
        peaks.push(peak - before);
      }
    }
  }
  const [seconds, plainSeconds] = [median(ours), median(plain)];
  const peakBytes = Math.max(...peaks);
  return { action, bytes, seconds, plainSeconds, ratio: seconds / plainSeconds, peakBytes, requests: sent };
}

/** The same endpoints with nothing but the HTTP library. */
class PlainClient {
  readonly #server: BenchServer;
  readonly #dispatcher = new Agent({ connections: 8, headersTimeout: 0, bodyTimeout: 0 });

  constructor(server: BenchServer) {
    this.#server = server;
  }

  async read(name: string, bytes: number): Promise<Uint8Array> {
    const path = bytes >= rawFrom ? `files/${name}` : `api/contents/${name}?content=1&type=file&hash=1`;
    const body = await this.#send("GET", path);
    if (bytes >= rawFrom) return body;
    const { content }: { readonly content: string } = JSON.parse(body.toString());
    return Buffer.from(content, "base64");
  }

  async write(name: string, content: Buffer): Promise<void> {
    const put = (body: object): Promise<Buffer> => this.#send("PUT", `api/contents/${name}`, JSON.stringify(body));
    if (content.byteLength <= chunkedAbove) {
      await put({ type: "file", format: "base64", content: content.toString("base64") });
      return;
    }
    for (let offset = 0, chunk = 1; offset < content.byteLength; offset += chunkBytes, chunk += 1) {
      const part = content.subarray(offset, offset + chunkBytes);
      const isLast = offset + chunkBytes >= content.byteLength;
      await put({ type: "file", format: "base64", chunk: isLast ? -1 : chunk, content: part.toString("base64") });
    }
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #send(method: "GET" | "PUT", path: string, body?: string): Promise<Buffer> {
    const response = await request(`${this.#server.origin}/${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: { authorization: `token ${this.#server.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    const parts: Buffer[] = [];
    for await (const part of response.body) parts.push(part);
    if (response.statusCode > 299) throw new Error(`${method} ${path}: ${response.statusCode}`);
    return Buffer.concat(parts);
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): void {
  if (Buffer.compare(one.subarray(0, 64), other.subarray(0, 64)) !== 0 || one.byteLength !== other.byteLength) {
    throw new Error("what was read is not what was written");
  }
}
