import * as z from "zod/mini";
import type { TokenConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import { type Claims, maxTokenIdLength, parseEmail } from "./claims.ts";

/** A revocation: of one token by its id (`jti`), or of all tokens of a user that were issued until now. */
export interface Revocation {
  readonly kind: "tokenId" | "subject" | "email";
  readonly value: string;
}

interface RevocationOptions {
  readonly configuration: Pick<TokenConfiguration, "clockSkewSeconds">;
  readonly state: Pick<StateStore, "revoke" | "revokedSince">;
  /** Milliseconds since 1970, for comparison with the time at which a token was issued. */
  readonly wall: () => number;
}

const name = z.string().check(z.minLength(1), z.maxLength(255));
const bodies = z.union([
  z.strictObject({ tokenId: z.string().check(z.minLength(1), z.maxLength(maxTokenIdLength)) }),
  z.strictObject({ subject: name }),
  z.strictObject({ email: name }),
]);

/** Reads a request's body. Undefined unless it has exactly one of `tokenId`, `subject`, and `email`. */
export function revocationOf(
  body: unknown,
  configuration: Pick<TokenConfiguration, "lowerCaseEmail" | "allowNonAsciiEmail">,
): Revocation | undefined {
  const { data } = z.safeParse(bodies, body);
  if (data === undefined) {
    return undefined;
  }
  if ("tokenId" in data) {
    return { kind: "tokenId", value: data.tokenId };
  }
  if ("subject" in data) {
    return { kind: "subject", value: data.subject };
  }
  const email = parseEmail(data.email, configuration);
  return email.valid ? { kind: "email", value: email.email } : undefined;
}

/** Stores revocations, and rejects revoked tokens even if their signature is valid and they have not expired. */
export class Revocations {
  readonly #options: RevocationOptions;

  constructor(options: RevocationOptions) {
    this.#options = options;
  }

  /** Stores a revocation. A rejection means that other instances don't have it. */
  revoke({ kind, value }: Revocation): Promise<Rejection | undefined> {
    return this.#options.state.revoke(`${kind} ${value}`, Math.floor(this.#options.wall() / 1000));
  }

  /** Rejects a revoked token; otherwise undefined. */
  async check(claims: Claims): Promise<Rejection | undefined> {
    const { state, configuration } = this.#options;
    const { tokenId, subject, email, issuedAt } = claims;
    const names = [`subject ${subject}`, `email ${email}`, ...(tokenId === undefined ? [] : [`tokenId ${tokenId}`])];
    const found = await state.revokedSince(names);
    if (isRejection(found)) {
      return found;
    }
    const [bySubject, byEmail, byTokenId] = found.times;
    // The issuer's clock may be ahead of this server's.
    const newest = Math.max(bySubject ?? -1, byEmail ?? -1) + configuration.clockSkewSeconds;
    const isPersonRevoked = bySubject !== undefined || byEmail !== undefined;
    return byTokenId !== undefined || (isPersonRevoked && (issuedAt === undefined || issuedAt <= newest))
      ? { rejection: "invalidToken", reason: "it was revoked" }
      : undefined;
  }
}
