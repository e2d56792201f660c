import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { phrase } from "../phrase.ts";
import { CompanionUnavailableError } from "./errors.ts";
import { programSources } from "./program-sources.ts";

/** Makes packages importable from their sources (`loader.py`). */
export const { loader = "", ...packages } = programSources;
/** Runs of notebooks have a program of their own (`src/api/runs/`). */
const modules = Object.fromEntries(Object.entries(packages).filter(([name]) => !name.startsWith("notebook_run.")));

/** What the loader reports (`loader.py`). */
const status = z.object({
  state: z.enum(["installed", "present", "oldPython", "oldKernel", "otherKernel", "failed"]),
  /** For example, `3.11.2`. */
  python: z.string().check(z.maxLength(40)),
  /** Its version. Empty if it isn't known. */
  ipykernel: z.optional(z.string().check(z.maxLength(40))),
  reason: z.optional(z.string()),
});
type ProgramStatus = z.output<typeof status>;

/** Name of the variable with the status, in the companion's kernel. */
const variable = "_platform_workbench_status";

/** Identifies the program: a companion with another digest is replaced. */
const programDigest = createHash("sha256")
  .update(JSON.stringify([loader, modules]))
  .digest("hex");

/** The code that installs the program in a kernel, unless it is there, and the expression for its status. */
export function installation(): { readonly code: string; readonly expression: string } {
  const sources = asciiLiteral(JSON.stringify(modules));
  const call = `${variable} = install(json.loads(${sources}), ${asciiLiteral(programDigest)})`;
  return { code: `${loader}\n\n${call}\n`, expression: variable };
}

/**
 * An expression that installs the program like `installation` does, and whose value is the status. Leaves no names in the
 * user's namespace.
 */
export function installingExpression(): string {
  const { code, expression } = installation();
  const scope = `{"get_ipython": __import__("IPython").get_ipython}`;
  return `(lambda scope: (exec(${asciiLiteral(code)}, scope), scope[${asciiLiteral(expression)}])[1])(${scope})`;
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

/** The version of Python that runs the program. Throws a CompanionUnavailableError if it doesn't run. */
export function pythonOf(status: ProgramStatus | undefined): string {
  switch (status?.state) {
    case "installed":
    case "present":
      return status.python;
    case "oldPython":
      throw new CompanionUnavailableError(
        "oldPython",
        phrase`The companion needs Python 3.8 or newer, and the server has Python ${status.python}.`,
      );
    case "oldKernel":
      throw new CompanionUnavailableError(
        "oldKernel",
        phrase`The companion needs ipykernel 6 or newer, and the server has ipykernel ${status.ipykernel ?? ""}.`,
      );
    case "otherKernel":
      throw otherKernel();
    case "failed":
      throw new CompanionUnavailableError(
        "refused",
        phrase`The companion's program failed: ${(status.reason ?? "").slice(0, 500)}.`,
      );
    case undefined:
      throw new CompanionUnavailableError("refused", phrase`The companion's kernel gave an invalid reply.`);
  }
}

/** The error for a kernel that can't run the program. */
export function otherKernel(): CompanionUnavailableError {
  return new CompanionUnavailableError("otherKernel", phrase`The server's Python kernel isn't IPython's.`);
}

/** A literal of a text in Python, in any version. */
export function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
