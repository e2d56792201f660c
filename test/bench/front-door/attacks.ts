// The cost of one caller's attacks for all others: the latency of 32 connections alone, and during each attack.
import { callBody, callHeaders } from "../../harness/front-door/cases.ts";
import { boundedMemory, type Program } from "../../harness/front-door/program.ts";
import { storedZip } from "../../unit/api/zip-files.ts";
import { startFloodingKernel } from "./flooding-kernel.ts";
import { type Figures, type Load, type LoadProcess, startLoadProcess } from "./load.ts";
import {
  badlySigned,
  callLoad,
  memoryOf,
  peakMemoryOf,
  resetPeakMemory,
  type Surroundings,
  withToken,
} from "./surroundings.ts";

const megabyte = 1024 * 1024;
const warmUpSeconds = 2;

/** The request that the attacker repeats, and the responses that the platform or content server sends for it. */
interface Attack {
  readonly name: string;
  readonly tool: string;
  readonly given: object;
  /** Without a body, the platform never answers. */
  readonly response?: { readonly at: string; readonly body: string | Uint8Array | undefined };
  /** True if the call lasts until its time limit. */
  readonly isEndless?: true;
  /** Number of parallel requests. Default: 1. */
  readonly connections?: number;
  /** The call of everyone else. Default: that of the cases' tool. */
  readonly others?: Pick<Attack, "tool" | "given" | "response">;
}

const pages = "/api/content/v1/pages";
const designs = "/platformapps/designs";
const contents = "/user/a/w/api/contents";

function attacksOnTools(): readonly Attack[] {
  const stored = (id: number, name: string, unit: string): Attack => ({
    name,
    tool: "pages_get",
    given: { id: String(id) },
    response: { at: `${pages}/${id}`, body: JSON.stringify({ id, title: fill(unit, 3.5 * megabyte) }) },
  });
  const inWorkspace = (name: string, tool: string, path: string, body: string, connections = 1): Attack => ({
    name,
    tool,
    given: { workspaceId: "w", path },
    response: { at: `${contents}/${path}`, body },
    connections,
  });
  const item = { name: "a", path: "a", writable: true, mimetype: null, format: null, size: 1, hash: null };
  const file = { ...item, type: "file", last_modified: "2026-01-01T00:00:00Z", created: "2026-01-01T00:00:00Z" };
  const folder = (items: readonly object[]): string => JSON.stringify({ ...file, type: "directory", content: items });
  const files = (count: number, end = ""): readonly object[] =>
    Array.from({ length: count }, (_, nth) => ({ ...file, name: `f${nth}${end}`, path: `many/f${nth}` }));
  const names = Array.from({ length: 1200 }, (_, nth) => ({ name: `a${"\\".repeat(1015)}${nth}` }));
  const archive = (name: string, id: string, body: Uint8Array): Attack => ({
    name,
    tool: "designs_versions_assets",
    given: { designId: id, version: "1" },
    response: { at: `${designs}/${id}/`, body },
  });
  const fileOf = (content: string): string => JSON.stringify({ ...file, format: "text", content });
  return [
    { name: "1  argument of 900 KB of ?token: refused", tool: "roles_list", given: { [fill("?token", 900_000)]: 1 } },
    stored(11, "1  stored text, 3.5 MB of ?token=a&", "?token=a&"),
    stored(12, '1  stored text, 3.5 MB of "token":"x",', '"token":"x",'),
    stored(13, "1  stored text, 3.5 MB of quotes", '"'),
    inWorkspace("2  file of 9 MB: refused", "contents_read", "large.txt", JSON.stringify("a".repeat(9 * megabyte))),
    inWorkspace(
      "2  file of 7.5 MB",
      "contents_read",
      "file.txt",
      JSON.stringify({ ...file, format: "text", content: fill("a b\n", 7 * megabyte) }),
    ),
    {
      name: "3  2 million empty objects: refused",
      tool: "designs_list",
      given: {},
      response: { at: "/api/apps/v1/designs?", body: `[${Array(1_300_000).fill("{}").join(",")}]` },
    },
    {
      name: "3  16,000 objects of 3 values",
      tool: "pages_get",
      given: { id: "31" },
      response: { at: `${pages}/31`, body: JSON.stringify({ id: 31, cards: Array(16_000).fill({ a: 1, b: 2 }) }) },
    },
    inWorkspace("3  folder of 5,000 files", "contents_list", "many", folder(files(5000))),
    archive("4  archive, 1,200 names of 1,020 backslashes", "d1", storedZip(names)),
    archive("4  archive, 150,000 records: refused", "d2", storedZip(Array(150_000).fill({ name: "a" }), 4000)),
    inWorkspace("5  24 folders of 7.3 MB at once", "contents_list", "large", folder(files(7000, "n".repeat(800))), 24),
    inWorkspace("5  90 folders of 7,400 files at once", "contents_list", "ordinary", folder(files(7400)), 90),
    inWorkspace("5  90 files of 7.5 MB at once", "contents_read", "f.txt", fileOf(fill("a", 7 * megabyte)), 90),
    {
      name: "5  90 pages of 24,000 empty lists at once",
      tool: "pages_get",
      given: { id: "51" },
      connections: 90,
      response: { at: `${pages}/51`, body: `{"id":51,"cards":[${Array(24_000).fill("[]").join()}]}` },
    },
    {
      name: "6  80 calls that are never answered",
      tool: "pages_get",
      given: { id: "61" },
      connections: 80,
      isEndless: true,
      response: { at: `${pages}/61`, body: undefined },
    },
    {
      name: "7  8 downloads that never end; others' archives",
      tool: "designs_versions_assets",
      connections: 8,
      isEndless: true,
      given: { designId: "d3", version: "1" },
      response: { at: `${designs}/d3/`, body: undefined },
      others: archive("", "d4", storedZip([{ name: "a.txt" }])),
    },
    ...["outputs", "pings", "updates"].map(
      (code): Attack => ({
        name: `8  kernel that floods with ${code}`,
        tool: "kernels_run_cell",
        isEndless: true,
        given: { workspaceId: "k", code },
      }),
    ),
    {
      name: "13 argument of 24,000 objects: refused",
      tool: "workspaces_search",
      given: { body: Array(24_000).fill({}) },
    },
    { name: "13 argument of 900 KB of quotes: refused", tool: "pages_get", given: { id: fill('"', 900_000) } },
  ];
}

/** A text of this many bytes as JSON. */
function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / (JSON.stringify(unit).length - 2)));
}

interface Row {
  readonly name: string;
  readonly before: Figures;
  readonly during: Figures;
  /** Attacks. */
  readonly perSecond: number;
  /** Resident memory in MB: at rest, and the maximum during the attack. */
  readonly rest: number;
  readonly peak: number;
}

/** The door as it is shipped, with the tool that runs code, and with calls that end sooner. */
const doorEnvironment = {
  ...boundedMemory,
  FRONT_DOOR_READ_ONLY: "false",
  FRONT_DOOR_RUN_CELLS: "true",
  FRONT_DOOR_CONFIRMATION: "leftToClient",
  FRONT_DOOR_CALL_SECONDS: "10",
};

/**
 * Measures 32 connections alone and during each attack, or those whose name contains a text. Returns a table for people.
 */
export async function attackTable(
  around: Surroundings,
  client: LoadProcess,
  { seconds, only = "" }: { readonly seconds: number; readonly only: string | undefined },
): Promise<string> {
  const door = await around.startDoor(doorEnvironment);
  const attacker = startLoadProcess();
  const kernel = await startFloodingKernel();
  try {
    const attacks = loadsOf(around, door, kernel.url);
    await client.run(attacks[0].others, { seconds: warmUpSeconds });
    const rest = await memoryOf(door);
    const rows: Row[] = [];
    for (const { attack, others, isEndless } of attacks.filter((one) => one.attack.name.includes(only))) {
      if (!isEndless) await checkAttack(attack);
      const before = await client.run(others, { seconds, warmUpSeconds: 0.5 });
      await resetPeakMemory(door);
      // The attack begins before the measurement and ends after it.
      const attacking = attacker.run(attack, { seconds: seconds + 1 });
      const during = await client.run(others, { seconds, warmUpSeconds: 0.5 });
      const { perSecond } = await attacking;
      rows.push({ name: attack.name, before, during, perSecond, rest, peak: await peakMemoryOf(door) });
    }
    return tableOf(rows);
  } finally {
    await attacker.stop();
    await kernel.stop();
  }
}

interface AttackLoad {
  readonly attack: Load;
  readonly others: Load;
  readonly isEndless: boolean;
}

function loadsOf(around: Surroundings, door: Program, kernelUrl: string): readonly [AttackLoad, ...AttackLoad[]] {
  const token = around.enter("mallory@example.com", "notebook-w", "notebook-k");
  const { expected: _, ...call } = callLoad("", door, token, 200);
  const quiet = { ...call, hasMetrics: false };
  const usual = callLoad("32 connections", door, around.enter("anna@example.com"), 200);
  for (const [id, url] of [
    ["w", `${around.platform.url}/user/a/w/`],
    ["k", kernelUrl],
  ] as const) {
    const running = { id, instances: [{ id: "i", status: "RUNNING", url }] };
    around.platform.responseAt(`/api/datascience/v1/workspaces/${id}`, JSON.stringify(running));
  }
  const prepare = ({ tool, given, response }: Pick<Attack, "tool" | "given" | "response">) => {
    if (response?.body !== undefined) around.platform.responseAt(response.at, response.body);
    else if (response !== undefined) around.platform.holdAt(response.at);
    return { headers: { "Mcp-Name": tool }, body: callBody(tool, given) };
  };
  const attacks = attacksOnTools().map((one): AttackLoad => {
    const { name, connections = 1, isEndless = false, others } = one;
    const { headers, body } = prepare(one);
    const own = { ...Object.fromEntries(callHeaders), ...headers };
    const attack = { ...quiet, name, headers: [withToken(own, token)], body, connections };
    if (others === undefined) return { attack, others: usual, isEndless };
    const { headers: name_, body: theirs } = prepare(others);
    const [first = {}] = usual.headers;
    return { attack, others: { ...usual, headers: [{ ...first, ...name_ }], body: theirs }, isEndless };
  });
  const bad = [withToken(Object.fromEntries(callHeaders), badlySigned(token))];
  const wrong = { ...quiet, name: "11 wrong signatures on 8 connections: refused", headers: bad, connections: 8 };
  return [{ attack: wrong, others: usual, isEndless: false }, ...attacks];
}

/** Throws if an attack doesn't have the effect that its name promises. */
async function checkAttack({ name, origin, path, method, headers: [headers = {}], body = "" }: Load): Promise<void> {
  const response = await fetch(`${origin}${path}`, { method, headers: { ...headers }, body });
  const text = await response.text();
  const isRefused = response.status !== 200 || text.includes('"isError":true');
  if (isRefused !== /: refused$/.test(name)) {
    throw new Error(`${name}: ${response.status} ${text.slice(0, 300)}`);
  }
}

function tableOf(rows: readonly Row[]): string {
  const columns = [
    "attacks/s",
    "p50 before",
    "during",
    "p99 before",
    "during",
    "ratio",
    "delay before",
    "during",
    "peak memory",
    "above rest",
  ];
  const heading = `${"attack".padEnd(50)} ${columns.map((column) => column.padStart(12)).join(" ")}`;
  const lines = rows.map(({ name, before, during, perSecond, rest, peak }) => {
    const figures = [
      perSecond.toFixed(1),
      `${before.p50.toFixed(1)} ms`,
      `${during.p50.toFixed(1)} ms`,
      `${before.p99.toFixed(1)} ms`,
      `${during.p99.toFixed(1)} ms`,
      `${(during.p99 / before.p99).toFixed(2)} x`,
      `${before.loopDelay.toFixed(0)} ms`,
      `${during.loopDelay.toFixed(0)} ms`,
      `${peak.toFixed(0)} MB`,
      `${(peak - rest).toFixed(0)} MB`,
    ];
    return `${name.padEnd(50)} ${figures.map((figure) => figure.padStart(12)).join(" ")}`;
  });
  return [heading, ...lines].join("\n");
}
