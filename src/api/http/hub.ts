import type { DispatchResponse } from "./dispatch.ts";

/**
 * What the hub in front of the content servers reports: the workspace isn't running, or the token is invalid. Since
 * version 6, a running workspace's own server also sends the hub's header, but with JSON instead of HTML.
 */
export function hubResponse(response: DispatchResponse): "notRunning" | "tokenRefused" | undefined {
  const { status, headers } = response;
  const hasHeader = headers["x-jupyterhub-version"] !== undefined;
  const isPage = /html/i.test(headers["content-type"] ?? "");
  if (status === 424 || (hasHeader && isPage && (status === 403 || status === 405))) {
    return "notRunning";
  }
  if (status === 503 && (hasHeader || (isPage && isProxyPage(response)))) {
    return "notRunning";
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const target = pathOf(headers.location);
    if (/\/hub\/user\//.test(target)) {
      return "notRunning";
    }
    if (/\/(?:login|oauth_login|oauth2\/authorize)\b/.test(target)) {
      return "tokenRefused";
    }
  }
  return undefined;
}

/** True for the error page of the hub's proxy for a registered server that no longer runs. */
function isProxyPage(response: DispatchResponse): boolean {
  const page = new TextDecoder().decode(response.body.subarray(0, 65_536));
  return /your server appears to be down|proxy target missing|jupyterhub/i.test(page);
}

function pathOf(location: string | undefined): string {
  return location === undefined || !URL.canParse(location, "http://localhost")
    ? ""
    : new URL(location, "http://localhost").pathname;
}
