import { inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import { codeEnginePackageEntries, codeEngineVersionEntry } from "../seed/code-engine.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";

/** Longest run of a function, in milliseconds. */
const maxRunMs = 1000;

/** The platform's handlers for code engine packages. Functions in JavaScript really run. */
export const codeEngineHandlers = {
  "codeEngine.packages.list": async () => ok(codeEnginePackageEntries()),
  "codeEngine.packages.get": async (call) => {
    const id = call.parameters.get("packageId") ?? "";
    const found = codeEnginePackageEntries().find((entry) => entry.id === id);
    if (found === undefined) {
      throw new ErrorResponse(404, `Package ${id} not found`);
    }
    const { versions, ...own } = found;
    return ok(partsOf(call).has("versions") ? { ...own, versions } : own);
  },
  "codeEngine.versions.get": async (call) => {
    const { code, functions, ...own } = versionOf(call);
    const parts = partsOf(call);
    return ok({ ...own, ...(parts.has("code") ? { code } : {}), ...(parts.has("functions") ? { functions } : {}) });
  },
  "codeEngine.functions.run": async (call) => {
    const { code, functions, language } = versionOf(call);
    const name = call.parameters.get("functionName") ?? "";
    const own = (Array.isArray(functions) ? functions : []).map(fieldsOf).find((one) => one.name === name);
    if (own === undefined) {
      throw new ErrorResponse(404, `Function ${name} not found in package`);
    }
    if (language !== "JAVASCRIPT") {
      throw new ErrorResponse(501, "The sample tenant runs only functions in JavaScript.");
    }
    const { inputVariables, settings } = fieldsOf(call.body);
    const { logs, ...result } = run(String(code), own, fieldsOf(inputVariables));
    return ok(fieldsOf(settings).getLogs === true ? { ...result, logs } : result);
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function partsOf({ query }: PlatformCall): ReadonlySet<string> {
  return new Set(query.get("parts")?.split(","));
}

function versionOf({ parameters }: PlatformCall): Fields {
  const id = parameters.get("packageId") ?? "";
  const version = parameters.get("version") ?? "";
  const found = codeEngineVersionEntry(id, version);
  if (found === undefined) {
    throw new ErrorResponse(404, `Version ${version} of package ${id} not found`);
  }
  return found;
}

/** Runs the package's source, then the function with the values in the order of its parameters. */
function run(code: string, own: Fields, values: Fields): Fields {
  const logs: string[] = [];
  const log = (...parts: unknown[]): void => {
    logs.push(parts.map((part) => (typeof part === "string" ? part : inspect(part))).join(" "));
  };
  const names = (Array.isArray(own.inputs) ? own.inputs : []).map((input) => String(fieldsOf(input).name));
  const context = createContext({
    module: { exports: {} },
    console: { log },
    given: names.map((name) => values[name]),
    wanted: String(own.name),
  });
  try {
    runInContext(code, context, { timeout: maxRunMs });
    const result: unknown = runInContext("module.exports[wanted](...given)", context, { timeout: maxRunMs });
    return { status: "SUCCESS", result, logs };
  } catch (error) {
    const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    return { status: "FAILED", result: null, error: String(message), logs };
  }
}
