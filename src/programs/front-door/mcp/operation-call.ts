import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { Client, type RawResponse } from "../../../api/client/client.ts";
import { type OperationOutcome, runOperation } from "../../../api/families/operation-outcome.ts";
import { type CredentialKind, NotebookToken, PlatformCredential } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { createTransport } from "../../../api/http/transport.ts";
import { contentLimits, platformLimits } from "./response-limits.ts";
import { type Arguments, ToolError } from "./tool.ts";

/** Slashes, and percent-encoded dots or slashes, which an intermediate server could decode to another path. */
const pathInId = /[/\\]|%(?:2e|2f|5c)/i;

/** Throws a ToolError for an id that could be read as a path. */
export function checkId(name: string, id: unknown): void {
  if (typeof id === "string" && pathInId.test(id)) {
    throw new ToolError("arguments", `${name}: an ID must not contain a slash, an encoded slash, or an encoded dot.`);
  }
}

/**
 * Checks an operation's input before a credential is fetched. Throws a PlatformError of kind `request`, or a ToolError.
 */
export function checkInput(operation: AnyOperation, input: Arguments): void {
  for (const name of Object.keys(operation.pathParameters)) {
    if (!operation.path.includes(`{${name}*}`)) {
      checkId(name, input[name]);
    }
  }
  const client = operation.credential === "notebook" ? notebookChecker : platformChecker;
  client.prepare(operation as never, input as never);
}

// Clients that only prepare requests, and never send them.
const base = new URL("https://front-door.invalid");
// The caller's own client checks undescribed queries, because they depend on the tenant.
const dialect = { ...dialects.documented, undescribedQueries: true };
const transport = createTransport();
const platformChecker = new Client(
  {
    kind: "platform",
    base,
    dialect,
    credential: new PlatformCredential(base.origin, "unsent"),
    limits: platformLimits,
  },
  transport,
) as Client<CredentialKind>;
const notebookChecker = new Client(
  { kind: "notebook", base, dialect, credential: new NotebookToken(base.origin, "unsent"), limits: contentLimits },
  transport,
) as Client<CredentialKind>;

/** Runs an operation. Resolves with its outcome and the raw response. */
export async function outcomeOf(
  client: Client<CredentialKind>,
  operation: AnyOperation,
  input: Arguments,
  signal: AbortSignal,
): Promise<{ readonly outcome: OperationOutcome; readonly response: RawResponse | undefined }> {
  let response: RawResponse | undefined;
  const outcome = await runOperation(client, operation, input, {
    signal,
    onResponse: (one) => {
      response = one;
    },
  });
  return { outcome, response };
}
