// npm run bench:front-door [-- --json | --attacks [--only=TEXT]] [-- --seconds=3] [-- --users=10000]: the cost of a request for the
// front door, compared with plain node:http and jose in the same run, and the effect of attacks on other callers.
// Asserts no times: the results are for people.
import { attackTable } from "./front-door/attacks.ts";
import { type LoadProcess, startLoadProcess } from "./front-door/load.ts";
import { measureAll, measureTargets } from "./front-door/rates.ts";
import { type Surroundings, startSurroundings } from "./front-door/surroundings.ts";

const seconds = Number(option("seconds") ?? 3);
const users = Number(option("users") ?? 10_000);

const surroundings = await startSurroundings();
const client = startLoadProcess();
try {
  await report(surroundings, client);
} finally {
  await client.stop();
  await surroundings.stop();
}

async function report(around: Surroundings, load: LoadProcess): Promise<void> {
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(await measureTargets(around, load, seconds)));
  } else if (process.argv.includes("--attacks")) {
    console.log(await attackTable(around, load, { seconds, only: option("only") }));
  } else {
    console.log(await measureAll(around, load, { seconds, users }));
  }
}

function option(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}
