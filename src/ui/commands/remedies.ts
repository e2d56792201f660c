import { causeOf, PlatformError } from "../../api/http/errors.ts";
import { type Translate, translated, translatedError } from "../../api/translation.ts";
import { AccessError } from "../../tenants/access-error.ts";
import { literalPattern } from "../format/literal-pattern.ts";
import type { ErrorContext, NamedEntity } from "./error-context.ts";

/** A remedy for a failure that a message can offer as a button. */
export type Remedy =
  | { readonly type: "addTenant" }
  | { readonly type: "openProxySettings" }
  | { readonly type: "signIn"; readonly tenantId: string }
  | { readonly type: "enterToken"; readonly tenantId: string; readonly workspaceId: string }
  | { readonly type: "start"; readonly tenantId: string; readonly workspaceId: string }
  | {
      readonly type: "openInBrowser";
      readonly tenantId: string;
      /** The workspace that can be started once the page has been opened. */
      readonly workspaceId: string | undefined;
      readonly address: string;
    };

/** The remedy for this error, if there is one; `context` adds information that a platform error doesn't contain. */
export function remedyFor(error: unknown, context: ErrorContext): Remedy | undefined {
  return error instanceof AccessError ? accessRemedy(error) : platformRemedy(error, context);
}

function accessRemedy({ problem }: AccessError): Remedy | undefined {
  switch (problem.type) {
    case "unknownTenant":
      return { type: "addTenant" };
    case "signedOut":
      return { type: "signIn", tenantId: problem.tenantId };
    case "notRunning":
      return { type: "start", tenantId: problem.tenantId, workspaceId: problem.workspaceId };
    case "noToken":
      return { type: "enterToken", tenantId: problem.tenantId, workspaceId: problem.workspaceId };
    case "noAddress":
      return undefined;
  }
}

function platformRemedy(error: unknown, { tenantId, workspaceId }: ErrorContext): Remedy | undefined {
  const cause = causeOf(error);
  if (cause?.type === "network" && cause.proxy !== undefined) {
    return { type: "openProxySettings" };
  }
  if (cause === undefined || tenantId === undefined) {
    return undefined;
  }
  if (cause.type === "handshake") {
    return { type: "openInBrowser", tenantId, workspaceId, address: cause.address };
  }
  // After a 403, a token of another account may have access.
  if (cause.type === "status" && (cause.status === 401 || cause.status === 403)) {
    return { type: "signIn", tenantId };
  }
  if (cause.type === "tokenRefused" && workspaceId !== undefined) {
    return { type: "enterToken", tenantId, workspaceId };
  }
  if (cause.type === "workspaceNotRunning" && workspaceId !== undefined) {
    return { type: "start", tenantId, workspaceId };
  }
  return undefined;
}

/** Describes an error, and replaces the ids of entities in the platform's message with their names. */
export function describeFailure(
  error: unknown,
  context: ErrorContext,
  workspaceName: string | undefined,
  translate: Translate,
): string {
  const message = translatedError(error, translate);
  const { workspaceId } = context;
  if (error instanceof PlatformError && error.failureCause.type === "tokenRefused" && workspaceName !== undefined) {
    const { failure, reason } = error.parts;
    return translate(
      "{0}: the notebook token for {1} is no longer valid. The server says: {2}.",
      translated(failure, translate),
      workspaceName,
      translated(reason, translate),
    );
  }
  const isNamed = error instanceof PlatformError && workspaceId !== undefined && workspaceName !== undefined;
  // A 404 is about the id itself, so the id stays and the user sees which one is wrong.
  const isAboutId = isNamed && error.status === 404;
  const named = isNamed && !isAboutId ? message.replaceAll(workspaceId, workspaceName) : message;
  return error instanceof PlatformError
    ? withNames(named, translated(error.parts.failure, translate), error, context.entities ?? [])
    : named;
}

/** Replaces ids with names in the failure's text, but not in addresses. Adds the name if the id doesn't occur. */
function withNames(
  message: string,
  failure: string,
  { status }: PlatformError,
  entities: readonly NamedEntity[],
): string {
  if (!message.startsWith(failure)) {
    return message;
  }
  const known = entities.filter(({ id, name }) => id !== "" && name !== "");
  const named = known.reduce((text, { id, name }) => {
    const word = status === 404 ? `${name} (${id})` : name;
    return text.replace(new RegExp(`(?<![\\w/.-])${literalPattern(id)}(?![\\w/.-])`), () => word);
  }, failure);
  return `${named}${message.slice(failure.length)}`;
}
