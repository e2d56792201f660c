import * as vscode from "vscode";
import { allDialects, probePlatform } from "../../api/families/platform-probe.ts";
import { isConfidential } from "../../api/http/credentials.ts";
import type { DialectId } from "../../api/http/dialects.ts";
import type { Transport } from "../../api/http/transport.ts";
import { withoutEnding } from "../../api/text.ts";
import { localizedText } from "../../tenants/error-text.ts";
import type { TextCheck } from "../../ui/quick-input/checked-text.ts";

/** A platform's address and its possible dialects. Only one if it is certain. */
export interface FoundPlatform {
  readonly baseUrl: string;
  readonly dialects: readonly DialectId[];
}

/**
 * Looks for a platform at an address without sending a credential. If there is none at an address with a path, tries
 * the address without the path, because users paste page addresses. Throws only if canceled.
 */
export async function findPlatform(
  transport: Transport,
  baseUrl: string,
  signal: AbortSignal,
): Promise<TextCheck<FoundPlatform>> {
  const found = await probePlatform(transport, new URL(baseUrl), { signal });
  if (found.type === "platform") {
    return { accepted: true, value: { baseUrl, dialects: found.dialects } };
  }
  const { origin } = new URL(baseUrl);
  if (origin !== baseUrl && found.type === "unrecognized") {
    const atOrigin = await probePlatform(transport, new URL(origin), { signal });
    if (atOrigin.type === "platform") {
      return { accepted: true, value: { baseUrl: origin, dialects: atOrigin.dialects } };
    }
  }
  const reason = localizedText(found.reason);
  if (found.type === "unrecognized") {
    return { accepted: false, reason, anyway: { baseUrl, dialects: allDialects } };
  }
  return (found.isPlain ? await withoutTls(transport, baseUrl, signal) : undefined) ?? { accepted: false, reason };
}

/** An offer to use http, if a platform on this computer doesn't support https. Undefined if there is none. */
async function withoutTls(
  transport: Transport,
  baseUrl: string,
  signal: AbortSignal,
): Promise<TextCheck<FoundPlatform> | undefined> {
  const plain = new URL(baseUrl.replace(/^https:/, "http:"));
  const found = isConfidential(plain) ? await probePlatform(transport, plain, { signal }) : undefined;
  if (found?.type !== "platform") {
    return undefined;
  }
  return {
    accepted: false,
    reason: vscode.l10n.t("{0} doesn't support https. A platform responds at {1}.", plain.host, plain.origin),
    anyway: { baseUrl: withoutEnding(plain.href, "/"), dialects: found.dialects },
    again: vscode.l10n.t("Press Enter again to use this address."),
  };
}
