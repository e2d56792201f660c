import type { ProxyProblem } from "../http/network/proxy.ts";
import { type SecureConnectionProblem, secureConnectionProblem } from "../http/transport-errors.ts";
import { phrase, type Text } from "../phrase.ts";

interface Explanation {
  readonly reason: Text;
  readonly remedy: Text;
}

interface NetworkFailure {
  readonly code: string;
  readonly reachedServer: boolean;
  readonly proxy?: ProxyProblem;
}

/** Why there was no response from the server at `where`, and what to do. */
export function explainNetworkFailure({ code, reachedServer, proxy }: NetworkFailure, where: string): Explanation {
  if (proxy !== undefined) {
    return explainProxyProblem(proxy, where);
  }
  const problem = secureConnectionProblem(code);
  if (problem !== undefined) {
    return explainSecureConnectionProblem(problem, where, code);
  }
  return {
    reason: reachedServer
      ? phrase`the connection to ${where} was lost (${code})`
      : phrase`${where} can't be reached (${code})`,
    remedy: phrase`Check the network, then try again.`,
  };
}

function explainSecureConnectionProblem(problem: SecureConnectionProblem, where: string, code: string): Explanation {
  switch (problem) {
    case "expired":
      return {
        reason: phrase`the certificate of ${where} has expired (${code})`,
        remedy: phrase`Check the date of this computer. If it's right, ask the administrator of the server for a new certificate. Nothing was sent.`,
      };
    case "notYetValid":
      return {
        reason: phrase`the certificate of ${where} isn't valid yet (${code})`,
        remedy: phrase`Check the date of this computer. Nothing was sent.`,
      };
    case "otherHost":
      return {
        reason: phrase`the certificate of ${where} is for another hostname (${code})`,
        remedy: phrase`Check the address. If it's right, ask the administrator of the server for a certificate with this hostname. Nothing was sent.`,
      };
    case "unknownAuthority":
      return {
        reason: phrase`the certificate of ${where} is from a certificate authority that this computer doesn't trust (${code})`,
        remedy: phrase`Ask your administrator for the certificate of the authority. Add it to the certificates of your system, or name its file in the environment variable NODE_EXTRA_CA_CERTS, then restart. Nothing was sent.`,
      };
    case "otherCertificate":
      return {
        reason: phrase`the certificate of ${where} can't be verified (${code})`,
        remedy: phrase`Ask the administrator of the server to check it. Nothing was sent.`,
      };
    case "notSecure":
      return {
        reason: phrase`${where} doesn't respond with https (${code})`,
        remedy: phrase`Check the address: the server may expect http:// or have another port. Nothing was sent.`,
      };
    case "protocol":
      return {
        reason: phrase`no secure connection to ${where} could be established (${code})`,
        remedy: phrase`The server may require another version of TLS. Ask its administrator. Nothing was sent.`,
      };
  }
}

function explainProxyProblem(problem: ProxyProblem, where: string): Explanation {
  const { address } = problem;
  const settings = whereToChange(problem);
  switch (problem.type) {
    case "invalid":
      return {
        reason: phrase`the address of the proxy isn't valid: ${address}`,
        remedy: phrase`Correct ${settings}, for example http://proxy.example.com:8080.`,
      };
    case "signInRequired":
      return {
        reason: phrase`the proxy ${address} requires you to sign in (407)`,
        remedy: phrase`Add your user name and password to ${settings}, then try again.`,
      };
    case "rejected":
      return {
        reason: phrase`the proxy ${address} rejected your user name or password (407)`,
        remedy: phrase`Correct them in ${settings}. Until then, they aren't sent again, so that your account isn't locked.`,
      };
    case "unreachable":
      return {
        reason: phrase`the proxy ${address} can't be reached (${problem.code})`,
        remedy: phrase`Check the network and ${settings}, then try again.`,
      };
    case "refused":
      return {
        reason: phrase`the proxy ${address} didn't connect to ${where} (${problem.status})`,
        remedy:
          problem.status >= 500
            ? phrase`Check the address and the network, then try again.`
            : phrase`Ask the administrator of the proxy to allow it.`,
      };
  }
}

function whereToChange({ source, type }: ProxyProblem): Text {
  const isSignIn = type === "signInRequired" || type === "rejected";
  switch (source) {
    case "setting":
      return isSignIn ? phrase`the setting http.proxy or http.proxyAuthorization` : phrase`the setting http.proxy`;
    case "environment":
      return phrase`the environment variable HTTPS_PROXY or HTTP_PROXY`;
    case "system":
      return isSignIn ? phrase`the setting http.proxyAuthorization` : phrase`the proxy settings of your system`;
  }
}
