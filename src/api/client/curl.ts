import type { CredentialKind } from "../http/credentials.ts";
import { quotedWord } from "../shell-words.ts";
import type { PreparedRequest } from "./request.ts";

/** The environment variables from which a copied command reads its secret. */
const tokenVariables: Readonly<Record<CredentialKind, string>> = {
  platform: "PLATFORM_TOKEN",
  notebook: "NOTEBOOK_TOKEN",
  internal: "INTERNAL_SECRET",
};

/** A shell command for a request. It reads the secret from an environment variable. */
export function curlCommand(request: PreparedRequest, kind: CredentialKind): string {
  const [before = "", after = ""] = request.header.template.split("{token}");
  const secret = `${inDoubleQuotes(before)}$${tokenVariables[kind]}${inDoubleQuotes(after)}`;
  const lines = [
    `curl --request ${request.method} ${quotedWord(request.url.href)}`,
    `--header "${inDoubleQuotes(request.header.name)}: ${secret}"`,
    ...(request.body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data-raw ${quotedWord(request.body)}`]),
  ];
  return lines.join(" \\\n  ");
}

function inDoubleQuotes(text: string): string {
  return text.replace(/[\\"$`]/g, "\\$&");
}
