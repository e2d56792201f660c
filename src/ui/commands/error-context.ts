import * as z from "zod/mini";

/** Something by the platform's id, and what people call it. */
export interface NamedEntity {
  readonly id: string;
  readonly name: string;
}

/** What a failed command was about, as far as it came. */
export interface ErrorContext {
  readonly tenantId?: string;
  readonly workspaceId?: string;
  /** What it was about besides: in its message the names stand in place of the ids. */
  readonly entities?: readonly NamedEntity[];
}

/** What a command was called for, where that is a row or a resource with an id and a name. */
export function namedEntitiesOf(argument: unknown): readonly NamedEntity[] {
  const carrier = z.safeParse(z.looseObject({ resource: namedEntity }), argument);
  const itself = z.safeParse(namedEntity, argument);
  return carrier.success ? [carrier.data.resource] : itself.success ? [itself.data] : [];
}

const namedEntity = z.object({ id: z.string().check(z.minLength(1)), name: z.string().check(z.minLength(1)) });
