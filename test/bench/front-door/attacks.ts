// The cost of one caller's attacks for all others: the latency of 32 connections alone, and during each attack.
import { callBody, callHeaders } from "../../harness/front-door/cases.ts";
import { boundedMemory, type Program } from "../../harness/front-door/program.ts";
import { storedZip } from "../../unit/api/zip-files.ts";
import { type Figures, type Load, type LoadProcess, startLoadProcess } from "./load.ts";
import { badlySigned, callLoad, memoryOf, type Surroundings, withToken } from "./surroundings.ts";

const megabyte = 1024 * 1024;
const warmUpSeconds = 2;

/** The request that the attacker repeats, and the responses that the platform or content server sends for it. */
interface Attack {
  readonly name: string;
  readonly tool: string;
  readonly given: object;
  readonly answer?: { readonly at: string; readonly body: string | Uint8Array };
}

const pages = "/api/content/v1/pages";
const designs = "/platformapps/designs";
const contents = "/user/a/w/api/contents";

function attacksOnTools(): readonly Attack[] {
  const stored = (id: number, name: string, unit: string): Attack => ({
    ...{ name, tool: "pages_get", given: { id: String(id) } },
    answer: { at: `${pages}/${id}`, body: JSON.stringify({ id, title: fill(unit, 3.5 * megabyte) }) },
  });
  const inWorkspace = (name: string, tool: string, path: string, body: string): Attack => ({
    ...{ name, tool, given: { workspaceId: "w", path }, answer: { at: `${contents}/${path}`, body } },
  });
  const item = { name: "a", path: "a", writable: true, mimetype: null, format: null, size: 1, hash: null };
  const file = { ...item, type: "file", last_modified: "2026-01-01T00:00:00Z", created: "2026-01-01T00:00:00Z" };
  const folder = (items: readonly object[]): string => JSON.stringify({ ...file, type: "directory", content: items });
  const many = Array.from({ length: 5000 }, (_, nth) => ({ ...file, name: `f${nth}`, path: `many/f${nth}` }));
  const names = Array.from({ length: 1200 }, (_, nth) => ({ name: `a${"\\".repeat(1015)}${nth}` }));
  const archive = (name: string, id: string, body: Uint8Array): Attack => ({
    ...{ name, tool: "designs_versions_assets", given: { designId: id, version: "1" } },
    answer: { at: `${designs}/${id}/`, body },
  });
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
      ...{ name: "3  2 million empty objects: refused", tool: "designs_list", given: {} },
      answer: { at: "/api/apps/v1/designs?", body: `[${Array(1_300_000).fill("{}").join(",")}]` },
    },
    {
      ...{ name: "3  16,000 objects of 3 values", tool: "pages_get", given: { id: "31" } },
      answer: { at: `${pages}/31`, body: JSON.stringify({ id: 31, cards: Array(16_000).fill({ a: 1, b: 2 }) }) },
    },
    inWorkspace("3  folder of 5,000 files", "contents_list", "many", folder(many)),
    archive("4  archive, 1,200 names of 1,020 backslashes", "d1", storedZip(names)),
    archive("4  archive, 150,000 records: refused", "d2", storedZip(Array(150_000).fill({ name: "a" }), 4000)),
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
  readonly attack: Figures;
  readonly megabytes: number;
}

/** Measures 32 connections alone and during each attack. Returns a table for people. */
export async function attackTable(around: Surroundings, client: LoadProcess, seconds: number): Promise<string> {
  const door = await around.startDoor(boundedMemory);
  const attacker = startLoadProcess();
  try {
    const good = callLoad("32 connections", door, around.enter("anna@example.com"), 200);
    await client.run(good, { seconds: warmUpSeconds });
    const rest = await memoryOf(door);
    const rows: Row[] = [];
    for (const attack of loadsOf(around, door)) {
      await checkAttack(attack);
      const before = await client.run(good, { seconds, warmUpSeconds: 0.5 });
      // The attack begins before the measurement and ends after it.
      const attacking = attacker.run(attack, { seconds: seconds + 1 });
      const during = await client.run(good, { seconds, warmUpSeconds: 0.5 });
      const megabytes = (await memoryOf(door)) - rest;
      rows.push({ name: attack.name, before, during, attack: await attacking, megabytes });
    }
    return tableOf(rows);
  } finally {
    await attacker.stop();
  }
}

function loadsOf(around: Surroundings, door: Program): readonly Load[] {
  const token = around.enter("mallory@example.com", "notebook-w");
  const { expected: _, ...call } = callLoad("", door, token, 200);
  const quiet = { ...call, hasMetrics: false };
  const running = { id: "w", instances: [{ id: "i", status: "RUNNING", url: `${around.platform.url}/user/a/w/` }] };
  around.platform.answerAt("/api/datascience/v1/workspaces/w", JSON.stringify(running));
  const attacks = attacksOnTools().map(({ name, tool, given, answer }) => {
    if (answer !== undefined) around.platform.answerAt(answer.at, answer.body);
    const headers = { ...Object.fromEntries(callHeaders), "Mcp-Name": tool };
    return { ...quiet, name, headers: [withToken(headers, token)], body: callBody(tool, given), connections: 1 };
  });
  const bad = [withToken(Object.fromEntries(callHeaders), badlySigned(token))];
  return [
    ...attacks,
    { ...quiet, name: "11 wrong signatures on 8 connections: refused", headers: bad, connections: 8 },
  ];
}

/** Throws if an attack doesn't have the effect that its name promises. */
async function checkAttack({ name, origin, path, method, headers: [headers = {}], body = "" }: Load): Promise<void> {
  const answer = await fetch(`${origin}${path}`, { method, headers: { ...headers }, body });
  const text = await answer.text();
  const isRefused = answer.status !== 200 || text.includes('"isError":true');
  if (isRefused !== /: refused$/.test(name)) {
    throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`);
  }
}

function tableOf(rows: readonly Row[]): string {
  const columns = ["attacks/s", "p50", "p99 before", "during", "ratio", "delay before", "during", "above rest"];
  const heading = `${"attack".padEnd(46)} ${columns.map((column) => column.padStart(12)).join(" ")}`;
  const lines = rows.map(({ name, before, during, attack, megabytes }) => {
    const figures = [
      attack.perSecond.toFixed(1),
      `${during.p50.toFixed(1)} ms`,
      `${before.p99.toFixed(1)} ms`,
      `${during.p99.toFixed(1)} ms`,
      `${(during.p99 / before.p99).toFixed(2)} x`,
      `${before.loopDelay.toFixed(0)} ms`,
      `${during.loopDelay.toFixed(0)} ms`,
      `${megabytes.toFixed(0)} MB`,
    ];
    return `${name.padEnd(46)} ${figures.map((figure) => figure.padStart(12)).join(" ")}`;
  });
  return [heading, ...lines].join("\n");
}
