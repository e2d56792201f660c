import { causeOf } from "../../api/http/errors.ts";
import { AccessError } from "../../tenants/access-error.ts";
import { FileFault } from "./file-fault.ts";

/** What is wanting, as one word for one cause; undefined for a failure that nobody can mend by an answer. */
export function accessProblem(error: unknown): string | undefined {
  if (error instanceof AccessError) {
    return error.problem.type === "noToken"
      ? "token"
      : error.problem.type === "notRunning"
        ? "start"
        : error.problem.type;
  }
  const cause = causeOf(error);
  switch (cause?.type) {
    case "tokenRefused":
      return "token";
    case "workspaceNotRunning":
      return "start";
    case "handshake":
      return "handshake";
    case "status":
      return cause.status === 401 ? "signedOut" : undefined;
    default:
      return undefined;
  }
}

/** True when the failure says something of the path itself; false when nothing of the workspace can be looked at. */
export function isOfPath(error: unknown): boolean {
  const cause = causeOf(error);
  const isOfServer = accessProblem(error) !== undefined || (cause?.type === "status" && cause.status === 429);
  return error instanceof FileFault || (cause?.type === "status" && cause.status < 500 && !isOfServer);
}
