// npm run fuzz:front-door [-- --seed=1] [-- --runs=5000]: random input for the front door as it is shipped.
import { randomInt } from "node:crypto";
import { fuzzFrontDoor } from "../harness/front-door/fuzz.ts";

function option(name: string): number | undefined {
  const start = `--${name}=`;
  const given = process.argv.find((argument) => argument.startsWith(start));
  return given === undefined ? undefined : Number(given.slice(start.length));
}

const seed = option("seed") ?? randomInt(2 ** 31);
console.log(`seed ${seed}`);
console.log(JSON.stringify(await fuzzFrontDoor({ seed, runs: option("runs") ?? 5000 })));
