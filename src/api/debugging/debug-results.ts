import type { Fields } from "../kernels/wire/kernel-message.ts";
import { fieldsOf } from "../kernels/wire/message-codec.ts";
import type { DebugResult } from "./debug-message.ts";

/** Maximum number of frames that are read of a thread. */
export const maxFrames = 200;
/** What the debugger reports about itself that no editor has a use for. */
const ownCapabilities = ["supportsTerminateRequest", "supportsModulesRequest", "supportsGotoTargetsRequest"];

/** The frames in the result of `stackTrace`, bounded in number. */
export function framesOf(result: DebugResult): readonly Fields[] {
  const { stackFrames } = fieldsOf(result.success ? result.body : undefined);
  return listOf(stackFrames).slice(0, maxFrames);
}

/** What the editor may do with the debugger, from the result of `initialize`. */
export function capabilities(body: Fields): Fields {
  const filters = Array.isArray(body.exceptionBreakpointFilters) ? body.exceptionBreakpointFilters : [];
  return {
    ...body,
    ...Object.fromEntries(ownCapabilities.map((name) => [name, false])),
    supportTerminateDebuggee: false,
    // Python's interpreter never sees an exception of a cell unhandled, because IPython shows it.
    exceptionBreakpointFilters: filters.filter((filter) => fieldsOf(filter).filter !== "uncaught"),
  };
}

/** The references in a result with which the editor can request the variables of a scope or a value. */
export function referencesIn(result: DebugResult): readonly number[] {
  const body = fieldsOf(result.success ? result.body : undefined);
  return [body, ...listOf(body.scopes), ...listOf(body.variables)].flatMap(({ variablesReference }) =>
    typeof variablesReference === "number" && variablesReference > 0 ? [variablesReference] : [],
  );
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Changes the items of a list in a result, and leaves out those without a value. */
export function withList(result: DebugResult, name: string, change: (item: Fields) => Fields | undefined): DebugResult {
  const body = fieldsOf(result.success ? result.body : undefined);
  const list = body[name];
  return result.success && Array.isArray(list)
    ? { success: true, body: { ...body, [name]: list.flatMap((item) => change(fieldsOf(item)) ?? []) } }
    : result;
}
