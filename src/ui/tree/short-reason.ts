import { PlatformError } from "../../api/http/errors.ts";
import type { ProxyProblem } from "../../api/http/network/proxy.ts";
import { secureConnectionProblem } from "../../api/http/transport-errors.ts";
import { type Translate, translated } from "../../api/translation.ts";

/**
 * Why something could not be loaded, in a few words, because rows are narrow: the tooltip has the whole message with its
 * remedy. Undefined if the error does not come from the platform.
 */
export function shortReason(error: unknown, translate: Translate): string | undefined {
  if (!(error instanceof PlatformError)) {
    return undefined;
  }
  const { failureCause: cause, parts } = error;
  if (cause.type === "status" && cause.status >= 500) {
    return translate("{0} from the platform", String(cause.status));
  }
  const short =
    cause.type !== "network"
      ? undefined
      : cause.proxy === undefined
        ? certificateReason(cause.code, translate)
        : proxyReason(cause.proxy, translate);
  return short ?? translated(parts.reason, translate);
}

function proxyReason({ type }: ProxyProblem, translate: Translate): string {
  switch (type) {
    case "invalid":
      return translate("invalid proxy address");
    case "signInRequired":
      return translate("proxy requires sign-in");
    case "rejected":
      return translate("proxy rejected sign-in");
    case "unreachable":
      return translate("proxy can't be reached");
    case "refused":
      return translate("proxy refused connection");
  }
}

function certificateReason(code: string, translate: Translate): string | undefined {
  switch (secureConnectionProblem(code)) {
    case "expired":
      return translate("expired certificate");
    case "unknownAuthority":
      return translate("untrusted certificate");
    case "otherHost":
    case "notYetValid":
    case "otherCertificate":
      return translate("invalid certificate");
    case "notSecure":
      return translate("no https at this address");
    case "protocol":
      return translate("no secure connection");
    case undefined:
      return undefined;
  }
}
