import * as z from "zod/mini";

/** An item with the platform's id and its display name. */
export interface NamedEntity {
  readonly id: string;
  readonly name: string;
}

/** The tenant, workspace, and entities of a failed command, as far as known. */
export interface ErrorContext {
  readonly tenantId?: string;
  readonly workspaceId?: string;
  /** Other entities of the command. In its message, their names replace their ids. */
  readonly entities?: readonly NamedEntity[];
}

/** The entity of a command's argument, if that is a row or a resource with an id and a name. */
export function namedEntitiesOf(argument: unknown): readonly NamedEntity[] {
  const carrier = z.safeParse(z.looseObject({ resource: namedEntity }), argument);
  const itself = z.safeParse(namedEntity, argument);
  return carrier.success ? [carrier.data.resource] : itself.success ? [itself.data] : [];
}

const namedEntity = z.object({ id: z.string().check(z.minLength(1)), name: z.string().check(z.minLength(1)) });
