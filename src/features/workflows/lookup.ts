import * as z from "zod/mini";
import type { InputOf } from "../../api/catalogue/operation.ts";
import type { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";

const ofWorkflow = { modelId: z.string(), modelName: z.string() };
const named = z.object({ id: z.string(), name: z.string() });

/** A start form as one trigger or deployment shows it. */
const formLookup = z.object({
  type: z.literal("form"),
  ...ofWorkflow,
  version: z.string(),
  trigger: z.optional(named),
  deploymentId: z.optional(z.string()),
});
export type FormLookup = Readonly<z.output<typeof formLookup>>;

/** The triggers that are attached to some versions of a workflow; to any version where none is named. */
const triggersLookup = z.object({
  type: z.literal("triggers"),
  ...ofWorkflow,
  versions: z.array(z.string()),
});
type TriggersLookup = Readonly<Omit<z.output<typeof triggersLookup>, "versions">> & {
  readonly versions: readonly string[];
};

/** What a document about a workflow looks up, as its address has it. */
export const workflowLookup = z.union([formLookup, triggersLookup]);
export type WorkflowLookup = FormLookup | TriggersLookup;

/** What is asked of the platform for a form; what is left out is not sent (API description, 4.6). */
export function formInput({ modelId, version, trigger, deploymentId }: FormLookup): InputOf<typeof getTriggerForm> {
  return {
    modelId,
    version,
    ...(trigger === undefined ? {} : { triggerId: trigger.id }),
    ...(deploymentId === undefined ? {} : { deploymentId }),
  };
}
