import { randomInt } from "node:crypto";
import fc from "fast-check";

/** The seed of all random tests of a run. `PLATFORM_WORKBENCH_SEED=1 npm test` repeats a run that printed it. */
export const randomSeed = Number(process.env.PLATFORM_WORKBENCH_SEED ?? randomInt(2 ** 31));

fc.configureGlobal({ seed: randomSeed });
