import { Client } from "../../api/client/client.ts";
import {
  type CredentialKind,
  cleanPastedSecret,
  InternalSecret,
  isConfidential,
  NotebookToken,
  PlatformCredential,
} from "../../api/http/credentials.ts";
import { type Dialect, dialects, isDialectId } from "../../api/http/dialects.ts";
import type { Log } from "../../api/http/log.ts";
import { singleUserLimits } from "../../api/http/response-limits.ts";
import type { Transport } from "../../api/http/transport.ts";
import { UsageError } from "./usage.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const prefix = "PLATFORM_WORKBENCH_";

interface Place {
  readonly address: string;
  readonly secret: string;
}

const places: Readonly<Record<CredentialKind, Place>> = {
  platform: { address: "BASE_URL", secret: "TOKEN" },
  notebook: { address: "CONTENT_URL", secret: "NOTEBOOK_TOKEN" },
  internal: { address: "INTERNAL_URL", secret: "INTERNAL_SECRET" },
};

/** Access to a kind of destination from the environment: address, secret, and dialect. */
interface Access {
  readonly base: URL;
  readonly secret: string;
  readonly dialect: Dialect;
}

/**
 * Reads the environment. `given` is a secret from another source, which takes precedence. Throws a UsageError that
 * names the missing variables.
 */
export function accessFrom(environment: Environment, kind: CredentialKind, given: string | undefined): Access {
  const { address, secret } = places[kind];
  const base = baseFrom(environment, `${prefix}${address}`);
  const text = given ?? environment[`${prefix}${secret}`];
  if (text === undefined || text.trim() === "") {
    throw new UsageError(`Set ${prefix}${secret}, or pass the secret on standard input with --token-stdin.`);
  }
  const cleaned = cleanPastedSecret(text);
  if (!cleaned.valid) {
    throw new UsageError(`${given === undefined ? `${prefix}${secret}` : "Standard input"}: ${cleaned.reason}`);
  }
  return { base, secret: cleaned.secret, dialect: dialectFrom(environment) };
}

/** The dialect that the environment names; `documented` by default. */
export function dialectFrom(environment: Environment): Dialect {
  const id = environment[`${prefix}DIALECT`] ?? "documented";
  if (!isDialectId(id)) {
    throw new UsageError(
      `${prefix}DIALECT is "${id}", which isn't a dialect. Dialects: ${Object.keys(dialects).join(", ")}.`,
    );
  }
  return dialects[id];
}

function baseFrom(environment: Environment, name: string): URL {
  const text = environment[name]?.trim() ?? "";
  if (text === "") {
    throw new UsageError(`Set ${name} to an address such as https://acme.example.com.`);
  }
  if (!URL.canParse(text) || !isConfidential(new URL(text))) {
    throw new UsageError(`${name} must begin with https://, because a secret is sent to it.`);
  }
  return new URL(text);
}

/** A client for this kind of destination. */
export function clientFor(
  kind: CredentialKind,
  access: Access,
  transport: Transport,
  log: Log,
): Client<CredentialKind> {
  const { base, secret, dialect } = access;
  const common = { base, dialect, limits: singleUserLimits };
  const client = {
    platform: () =>
      new Client(
        { ...common, kind: "platform", credential: new PlatformCredential(base.origin, secret) },
        transport,
        log,
      ),
    notebook: () =>
      new Client({ ...common, kind: "notebook", credential: new NotebookToken(base.origin, secret) }, transport, log),
    internal: () =>
      new Client({ ...common, kind: "internal", credential: new InternalSecret(base.origin, secret) }, transport, log),
  }[kind]();
  // The kind is known only at run time. The client checks it against the operation's kind before each request.
  return client as Client<CredentialKind>;
}
