import * as z from "zod/mini";
import { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import type { TypedField } from "../../ui/quick-input/typed-values.ts";

/** A field of a start form. */
export const formField = z.looseObject({
  id: z.nullish(z.string()),
  alias: z.nullish(z.string()),
  label: z.nullish(z.string()),
  dataType: z.nullish(z.string()),
  isList: z.nullish(z.boolean()),
  optional: z.nullish(z.boolean()),
});

interface StartedVersion {
  readonly modelId: string;
  readonly version: string;
  readonly triggerId: string | undefined;
}

/** The fields of a version's start form; undefined if the platform has no form for it. */
export async function startFields(
  client: PlatformClient,
  { modelId, version, triggerId }: StartedVersion,
): Promise<readonly TypedField[] | undefined> {
  try {
    const input = { modelId, version, ...(triggerId === undefined ? {} : { triggerId }) };
    const { sections } = await client.call(getTriggerForm, input);
    return (sections ?? []).flatMap(({ fields }) => (fields ?? []).flatMap(fieldOf));
  } catch (error) {
    if (isMissingOperation(getTriggerForm, error)) {
      return undefined;
    }
    throw error;
  }
}

/** The field, unless it has no name. */
function fieldOf(value: unknown): readonly TypedField[] {
  const { data } = z.safeParse(formField, value);
  const name = data?.alias ?? data?.id ?? "";
  return data === undefined || name === ""
    ? []
    : [
        {
          name,
          label: data.label ?? name,
          type: data.dataType ?? "text",
          isList: data.isList === true,
          isOptional: data.optional === true,
        },
      ];
}
