import type { CredentialKind } from "../http/credentials.ts";
import type { PreparedRequest } from "./request.ts";

/** The environment variables that a copied command takes its secret from. */
const tokenVariables: Readonly<Record<CredentialKind, string>> = {
  platform: "PLATFORM_TOKEN",
  notebook: "NOTEBOOK_TOKEN",
  internal: "INTERNAL_SECRET",
};

/** A request as a shell command without its secret, which the shell takes from a variable. */
export function curlCommand(request: PreparedRequest, kind: CredentialKind): string {
  const [before = "", after = ""] = request.header.template.split("{token}");
  const secret = `${inDoubleQuotes(before)}$${tokenVariables[kind]}${inDoubleQuotes(after)}`;
  const lines = [
    `curl --request ${request.method} ${quoted(request.url.href)}`,
    `--header "${inDoubleQuotes(request.header.name)}: ${secret}"`,
    ...(request.body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data-raw ${quoted(request.body)}`]),
  ];
  return lines.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function inDoubleQuotes(text: string): string {
  return text.replace(/[\\"$`]/g, "\\$&");
}
