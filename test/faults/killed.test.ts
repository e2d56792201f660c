import assert from "node:assert/strict";
import { type KilledAction, killedActions } from "./killed-actions.ts";
import { writeKilledProgram } from "./killed-program.ts";
import { type Kill, type KillResult, runKilled } from "./killed-run.ts";
import { completed, type FaultyPlace, isSameTree, startFaultyPlace, type Tree } from "./place.ts";
import { beginTable } from "./table.ts";

const lanes = 3;

describe("the extension host is killed in the middle", () => {
  let place: FaultyPlace;
  const results = new Map<string, Promise<readonly (readonly [Kill, KillResult])[]>>();

  before(async () => {
    beginTable();
    place = await startFaultyPlace();
    await writeKilledProgram(place);
    const waiting = killedActions.values();
    const lane = async (): Promise<void> => {
      for (const action of waiting) {
        const all = killAtEveryStep(place, action);
        results.set(action.name, all);
        await all.catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  });
  after(() => place.stop());

  for (const action of killedActions) {
    it(`at every step of: ${action.name}`, async () => {
      const all = (await results.get(action.name)) ?? [];
      assert.ok(all.length >= 2, `${all.length} kills`);
      const problems = all.flatMap(([kill, result]) =>
        problemsOf(action, result).map((problem) => `killed ${kill.when} request ${kill.step}: ${problem}`),
      );
      assert.deepEqual(problems, []);
    });
  }
});

async function killAtEveryStep(
  place: FaultyPlace,
  action: KilledAction,
): Promise<readonly (readonly [Kill, KillResult])[]> {
  const { requests, bodies, arranging, tree } = await runKilled(place, action.name);
  assert.ok(isSameTree(tree, action.after), `${action.name} works when nobody kills it`);
  // The requests of the preparation come before the kill can be prepared, and are not steps.
  const done: (readonly [Kill, KillResult])[] = [];
  for (const index of requests.slice(arranging).keys()) {
    // Before a request is the same as after the previous one.
    const hasBody = (bodies[arranging + index] ?? 0) > 0;
    const moments: readonly Kill["when"][] = [
      ...(index === 0 ? (["before"] as const) : []),
      ...(hasBody ? (["sending"] as const) : []),
      "after",
    ];
    for (const when of moments) {
      const kill: Kill = { step: index + 1, when };
      done.push([kill, await runKilled(place, action.name, kill)]);
    }
  }
  return done;
}

function problemsOf(action: KilledAction, result: KillResult): readonly string[] {
  const problems: string[] = [];
  const { tree, treeAfterStart, treeAfterAgain } = result;
  const damaged = strays(action, tree).filter((path) => !action.leftovers.test(path));
  if (damaged.length > 0) problems.push(`${damaged.join(", ")} is neither as before nor as wanted`);
  for (const [when, found] of [
    ["after the kill", tree],
    ["after the next start", treeAfterStart],
    ["at the end", treeAfterAgain],
  ] as const) {
    problems.push(...lost(action, found).map((path) => `the content of ${path} is lost ${when}`));
  }
  const staying = strays(action, treeAfterStart).filter((path) => !action.staying.test(path));
  if (staying.length > 0) problems.push(`${staying.join(", ")} is still there after the next start`);
  const shown = Object.keys(treeAfterStart).filter((path) => !path.includes("/"));
  if (result.names.join() !== shown.sort().join()) {
    problems.push(`the folder shows ${result.names.join(", ")} and has ${shown.join(", ")}`);
  }
  const rest = Object.entries(treeAfterAgain).filter(
    ([path]) => !action.leftovers.test(path) || action.after[path] !== undefined,
  );
  const isDone = isSameTree(Object.fromEntries(rest), action.after);
  const isTaken = result.again === "FileExists" && strays(action, treeAfterStart).length > 0;
  const isFine = result.again === "worked" || ["FileExists", "FileNotFound", "newer"].includes(result.again);
  if (!(isDone && isFine) && !isTaken) problems.push(`done again it ended with ${result.again}`);
  return problems;
}

function strays(action: KilledAction, tree: Tree): readonly string[] {
  const [before, after] = [completed(action.before), completed(action.after)];
  return Object.keys(tree).filter((path) => before[path] !== tree[path] && after[path] !== tree[path]);
}

/** Files whose content must be kept, but no longer exists anywhere. */
function lost(action: KilledAction, tree: Tree): readonly string[] {
  const there = new Set(Object.values(tree));
  const [before, after] = [completed(action.before), completed(action.after)];
  const kept = new Set(Object.values(after));
  return Object.entries(before)
    .filter(([path, content]) => {
      const isReplaced = after[path] !== undefined && there.has(after[path]);
      return !there.has(content) && (kept.has(content) || (after[path] !== undefined && !isReplaced));
    })
    .map(([path]) => path);
}
