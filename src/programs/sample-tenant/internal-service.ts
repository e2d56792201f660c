import { createCipheriv, generateKeyPairSync, type KeyObject, publicEncrypt, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { dialects } from "../../api/http/dialects.ts";
import { closeServer, type HttpExchange, incomingOf, listenOnLoopback, readBody, sendJson } from "./http.ts";
import { ErrorResponse } from "./platform/handler.ts";
import { PathEncodingError, Router } from "./router.ts";
import { isSameToken } from "./tokens.ts";

/** A credential that a user stored with the service. */
interface StoredCredential {
  readonly email: string;
  readonly slug: string;
  readonly credential: string;
}

interface InternalServiceOptions {
  /** The required value of `X-Webui-Secret`; random by default. */
  readonly secret?: string;
  readonly stored: readonly StoredCredential[];
  /** Email addresses of the users who are entitled to a resource, by resource name. */
  readonly entitled: Readonly<Record<string, readonly string[]>>;
  /** The key with which credentials are encrypted; a new key pair by default. */
  readonly publicKey?: KeyObject;
  /** True if a stored credential is still valid on the platform. */
  readonly isValid: (credential: string) => boolean;
}

/** A request to the internal service that passed the check of the secret, with its input in the operation's shape. */
interface InternalCall {
  readonly service: Required<InternalServiceOptions>;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Returns the JSON of a 200 response. */
export type InternalHandler = (call: InternalCall) => Promise<unknown>;

/** The handlers for the operations of API description, 4.8. */
export const internalHandlers = {
  "frontDoor.credentials.validate": async ({ service, body }) => {
    const { email, slug } = body as { readonly email: string; readonly slug: string };
    const stored = storedOf(service, email, slug);
    return stored !== undefined && service.isValid(stored.credential);
  },
  "frontDoor.entitlements.check": async ({ service, query }) => {
    const entitled = service.entitled[query.get("resource") ?? ""] ?? [];
    return { entitled: entitled.includes(query.get("email") ?? "") };
  },
  "frontDoor.credentials.get": async ({ service, parameters }) => {
    const [email = "", slug = ""] = [parameters.get("email"), parameters.get("slug")];
    const stored = storedOf(service, email, slug);
    if (stored === undefined) {
      throw new ErrorResponse(404, `${email} has stored no credential ${slug}`);
    }
    return sealed(stored.credential, service.publicKey);
  },
} satisfies Readonly<Record<string, InternalHandler>>;

function storedOf({ stored }: InternalServiceOptions, email: string, slug: string): StoredCredential | undefined {
  return stored.find((one) => one.email === email && one.slug === slug);
}

/** Encrypts with a new key (AES-256-GCM), which only the holder of the private key can decrypt (RSA-OAEP-256). */
function sealed(text: string, publicKey: KeyObject): Readonly<Record<string, string>> {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const encryptedKey = publicEncrypt({ key: publicKey, oaepHash: "sha256" }, key);
  return {
    alg: "RSA-OAEP-256",
    enc: "A256GCM",
    encrypted_key: encryptedKey.toString("base64url"),
    iv: iv.toString("base64url"),
    ciphertext: ciphertext.toString("base64url"),
    tag: cipher.getAuthTag().toString("base64url"),
  };
}

/** A running internal service. */
export interface InternalService {
  readonly url: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Starts the service on 127.0.0.1: the internal service behind the front door and the front door's own validation. */
export async function startInternalService(options: InternalServiceOptions): Promise<InternalService> {
  const { secret = randomBytes(24).toString("hex") } = options;
  const publicKey = options.publicKey ?? generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  const service = { ...options, secret, publicKey };
  const router = new Router("internal", dialects.documented);
  const server = createServer((request, response) => {
    const exchange: HttpExchange = { ...incomingOf(request), response };
    handle(exchange, router, service).catch((error: unknown) => {
      const status = error instanceof ErrorResponse ? error.status : error instanceof PathEncodingError ? 400 : 500;
      const failure =
        error instanceof ErrorResponse ? error : new ErrorResponse(status, "The request cannot be served.");
      sendJson(exchange, status, JSON.stringify(failure.body()));
    });
  });
  const url = await listenOnLoopback(server, 0);
  return { url, secret, stop: () => closeServer(server) };
}

async function handle(
  exchange: HttpExchange,
  router: Router,
  service: Required<InternalServiceOptions>,
): Promise<void> {
  const given = exchange.request.headers["x-webui-secret"];
  if (!isSameToken(typeof given === "string" ? given : undefined, service.secret)) {
    throw new ErrorResponse(401, "Unauthorized");
  }
  const match = router.match(exchange.request.method ?? "GET", exchange.path.replace(/^\//, ""));
  if (match.kind !== "operation" || match.operation.credential !== "internal") {
    throw new ErrorResponse(match.kind === "methodNotAllowed" ? 405 : 404, "There is nothing here.");
  }
  const { operation, parameters } = match;
  const text = (await readBody(exchange.request)).toString("utf8");
  const checked = operation.body.safeParse(text === "" ? undefined : JSON.parse(text));
  if (!checked.success) {
    throw new ErrorResponse(400, "The body is not valid.");
  }
  const call = { service, parameters, query: exchange.query, body: checked.data };
  sendJson(exchange, 200, JSON.stringify(await internalHandlers[operation.id](call)));
}
