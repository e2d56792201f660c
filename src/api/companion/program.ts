import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { programSources } from "./program-sources.ts";

const { loader = "", ...modules } = programSources;

/** What the loader reports (`loader.py`). */
const status = z.object({
  state: z.enum(["installed", "present", "oldPython", "otherKernel", "failed"]),
  /** For example, `3.11.2`. */
  python: z.string().check(z.maxLength(40)),
  reason: z.optional(z.string()),
});
export type ProgramStatus = z.output<typeof status>;

/** Name of the variable with the status, in the companion's kernel. */
const variable = "_platform_workbench_status";

/** Identifies the program: a companion with another digest is replaced. */
const programDigest = createHash("sha256").update(JSON.stringify(programSources)).digest("hex");

/** The code that installs the program in a kernel, unless it is there, and the expression for its status. */
export function installation(): { readonly code: string; readonly expression: string } {
  const sources = asciiLiteral(JSON.stringify(modules));
  const call = `${variable} = install(json.loads(${sources}), ${asciiLiteral(programDigest)})`;
  return { code: `${loader}\n\n${call}\n`, expression: variable };
}

/** The status in the text of the expression's value: JSON as hexadecimal digits. Undefined if it isn't one. */
export function statusOf(text: string): ProgramStatus | undefined {
  const digits = /^'([0-9a-f]{2,4000})'$/.exec(text)?.[1];
  try {
    const parsed = z.safeParse(status, JSON.parse(Buffer.from(digits ?? "", "hex").toString("utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** A literal of a text in Python, in any version. */
function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
