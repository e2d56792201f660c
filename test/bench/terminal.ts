import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TerminalServer } from "../../src/api/terminals/terminal-server.ts";
import { until } from "../harness/until.ts";
import type { KernelRig } from "../kernels/rig.ts";
import { marked, type ShownTerminal, showTerminal } from "../kernels/shown-terminal.ts";
import { median } from "./statistics.ts";

/** Milliseconds, ours and those of a plain WebSocket on the same server. */
export interface TerminalFigures {
  /** From a key to its echo: medians. */
  readonly echo: { readonly ours: number; readonly plain: number };
  /** `cat` of 10 MB until its last line. */
  readonly output: { readonly ours: number; readonly plain: number };
}

interface Typed {
  readonly seen: () => string;
  type(text: string): void;
}

const keys = 40;
/** Milliseconds between two keys of a fast typist. Before that, acknowledgments of the last echo are still on their way. */
const keyPauseMs = 60;
const outputBytes = 10_000_000;

/** Measures keys and output, alternating between our connection and a plain one, each on a terminal of its own. */
export async function measureTerminal(rig: KernelRig): Promise<TerminalFigures> {
  const line = `${"x".repeat(99)}\n`;
  await writeFile(join(rig.root, "long.txt"), line.repeat(outputBytes / line.length));
  const server = new TerminalServer(async () => rig.client());
  const [first, second] = [await server.start(""), await server.start("")];
  if (first === undefined || second === undefined) throw new Error("the server has no terminals");
  const shown = showTerminal(rig.client(), first.name, { isNew: true });
  const plain = await plainTerminal(rig, second.name);
  const ours = typed(shown);
  try {
    await Promise.all([ours, plain].map(({ seen }) => until("the prompt", () => /[#$] $/.test(seen()))));
    const echoes: { readonly ours: number[]; readonly plain: number[] } = { ours: [], plain: [] };
    for (let nth = 0; nth < keys; nth += 1) {
      await delay(keyPauseMs);
      echoes.ours.push(await echoOf(ours));
      await delay(keyPauseMs);
      echoes.plain.push(await echoOf(plain));
    }
    for (const one of [ours, plain]) one.type("\u0003");
    const output = { ours: await outputOf(ours, "our-end"), plain: await outputOf(plain, "its-end") };
    return { echo: { ours: median(echoes.ours), plain: median(echoes.plain) }, output };
  } finally {
    shown.connection.dispose();
    plain.close();
  }
}

function typed(shown: ShownTerminal): Typed {
  return { seen: () => shown.text, type: (text) => shown.connection.type(text) };
}

async function echoOf({ seen, type }: Typed): Promise<number> {
  const before = seen().length;
  const started = performance.now();
  type("x");
  await turnsUntil(() => seen().length > before);
  return performance.now() - started;
}

async function outputOf({ seen, type }: Typed, end: string): Promise<number> {
  const started = performance.now();
  type(`cat long.txt; ${marked(end)}`);
  await turnsUntil(() => seen().endsWith(`${end}\r\n`) || seen().slice(-2000).includes(`${end}\r\n`));
  return performance.now() - started;
}

/** Looks at each turn of the event loop, because a timer of a millisecond would be a part of the result. */
async function turnsUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The minimum that a client does: one WebSocket, each message parsed. */
async function plainTerminal({ proxy, url, token }: KernelRig, name: string): Promise<Typed & { close(): void }> {
  const address = new URL(`terminals/websocket/${name}`, `${proxy.url(url).replace(/\/$/, "")}/`);
  const socket = new WebSocket(address.href.replace("http", "ws"), {
    headers: { authorization: `token ${token}` },
  });
  let text = "";
  socket.addEventListener("message", ({ data }) => {
    const [kind, output]: readonly unknown[] = JSON.parse(String(data));
    if (kind === "stdout") text += String(output);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return {
    seen: () => text,
    type: (input) => socket.send(JSON.stringify(["stdin", input])),
    close: () => socket.close(),
  };
}
