import { hasStatus, PlatformError } from "../../api/http/errors.ts";
import { type Translate, translated, translatedError } from "../../api/translation.ts";
import { AccessError, accessObstacle } from "../../tenants/access-obstacle.ts";
import { type AccessRemedy, remedyOf } from "../../tenants/access-remedy.ts";
import { literalPattern } from "../format/literal-pattern.ts";
import type { ErrorContext, NamedEntity } from "./error-context.ts";

/** The remedy for this error, if there is one; `context` adds information that a platform error doesn't contain. */
export function remedyFor(error: unknown, context: ErrorContext): AccessRemedy | undefined {
  const obstacle = accessObstacle(error);
  if (obstacle !== undefined) {
    return remedyOf(obstacle, error instanceof AccessError ? error.place : context);
  }
  const { tenantId } = context;
  // After a 403, a token of another account may have access.
  return hasStatus(error, 403) && tenantId !== undefined ? { type: "signIn", tenantId } : undefined;
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
