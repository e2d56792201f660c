import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { Client } from "../../../api/client/client.ts";
import { type CredentialKind, NotebookToken, PlatformCredential } from "../../../api/http/credentials.ts";
import { dialects } from "../../../api/http/dialects.ts";
import { createTransport } from "../../../api/http/transport.ts";
import type { Arguments } from "./tool.ts";

/** Judges an operation's input before any credential is fetched. Throws a PlatformError of kind `request`. */
export function checkInput(operation: AnyOperation, input: Arguments): void {
  const client = operation.credential === "notebook" ? notebookChecker : platformChecker;
  client.prepare(operation as never, input as never);
}

// Clients that send nothing.

const nowhere = new URL("https://front-door.invalid");
const unsent = createTransport();
const common = { base: nowhere, dialect: dialects.documented };
const platformChecker = new Client(
  { ...common, kind: "platform", credential: new PlatformCredential(nowhere.origin, "unsent") },
  unsent,
) as Client<CredentialKind>;
const notebookChecker = new Client(
  { ...common, kind: "notebook", credential: new NotebookToken(nowhere.origin, "unsent") },
  unsent,
) as Client<CredentialKind>;
