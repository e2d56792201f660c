import * as z from "zod/mini";
import { acceptedPath } from "../../../api/catalogue/content-path.ts";
import { createSession } from "../../../api/kernels/operations.ts";
import { onKernel } from "./cell-kernel.ts";
import { type Tool, ToolError } from "./tool.ts";
import { customTool, wholeContent } from "./tool-definition.ts";

/** Maximum length of the code, in characters, because a user must read it before confirming it. */
const maxCodeLength = 4000;
/** Maximum number of cells that run in parallel in this server, with one per user. */
const maxRunning = 16;

const shape = z.strictObject({
  workspaceId: z.string().check(z.minLength(1), z.maxLength(200)),
  path: z.optional(z.string().check(z.minLength(1), z.maxLength(4000))),
  code: z.string().check(z.minLength(1), z.maxLength(maxCodeLength)),
});

/** Users with a running cell. */
const running = new Set<string>();

/** The tool that runs code on a kernel of a workspace. Offered only if the configuration allows it. */
export function runCellTool(): Tool {
  return customTool({
    name: "kernels_run_cell",
    toolset: "contents",
    summary: "Run code on a kernel of a workspace",
    remarks: [
      "With the path of a notebook whose kernel is running, the code uses that kernel and its variables. While the kernel is busy, the call waits.",
      "Otherwise, a kernel is started in the path's folder, and shut down afterward.",
      "Returns the text of the outputs, and their pictures as images. The code can't ask for input.",
    ],
    shape,
    about: {
      path: "Path from the workspace root of the notebook whose kernel runs the code. Omit it for a new kernel.",
      code: `The code of one cell, ${maxCodeLength} characters at most.`,
    },
    effect: "run",
    isOpenWorld: true,
    shownInFull: "code",
    check: ({ path }) => {
      contentPathOf(path);
    },
    run: async ({ workspaceId, path, code }, { content, person, redacted, signal }) => {
      if (running.has(person)) {
        throw new ToolError("conflict", "Your last cell is still running. Wait for its result, then try again.");
      }
      if (running.size >= maxRunning) {
        throw new ToolError("dependency", "Too many cells are running in this front door. Try again later.");
      }
      running.add(person);
      try {
        const client = await content(workspaceId);
        const { pictures, ...value } = await onKernel({ client, code, signal, redacted }, contentPathOf(path));
        return { value, pictures, ...wholeContent };
      } finally {
        running.delete(person);
      }
    },
  });
}

function contentPathOf(path: string | undefined): string | undefined {
  return path === undefined ? undefined : acceptedPath(path, "path", `Can't run code for ${path}`, createSession.id);
}
