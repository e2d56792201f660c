import type { ErrorKind } from "../../api/http/errors.ts";

/** What the program ends with when an operation fails, by the kind of its error. */
export const exitCodes: Readonly<Record<ErrorKind, { readonly code: number; readonly meaning: string }>> = {
  request: { code: 3, meaning: "the input was refused before anything was sent" },
  retrieval: { code: 10, meaning: "a read failed" },
  notFound: { code: 11, meaning: "what was asked for does not exist" },
  crud: { code: 12, meaning: "a change failed" },
  workspace: { code: 13, meaning: "a workspace could not be started or stopped" },
  appGet: { code: 14, meaning: "a read of an app design failed" },
  asset: { code: 15, meaning: "a design's assets could not be had" },
  appCrud: { code: 16, meaning: "a change to an app design failed" },
  route: { code: 17, meaning: "a page operation failed" },
  sandboxGet: { code: 18, meaning: "a read of the sandbox failed" },
  sandboxCrud: { code: 19, meaning: "a change to the sandbox failed" },
  workflowGet: { code: 20, meaning: "a read of workflows failed" },
  workflowCrud: { code: 21, meaning: "a change to workflows failed" },
};

export const done = 0;
export const unexpected = 1;
export const wrongUsage = 2;
export const interrupted = 130;
