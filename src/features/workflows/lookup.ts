import type { InputOf } from "../../api/catalogue/operation.ts";
import type { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";

/** The lookup of a start form for a trigger or deployment. */
export interface FormLookup {
  readonly version: string;
  readonly trigger?: { readonly id: string; readonly name: string };
  readonly deploymentId?: string;
}

/** The lookup as the id of a resource: `version=1.2.0&triggerId=…`. */
export function formId({ version, trigger, deploymentId }: FormLookup): string {
  return new URLSearchParams({
    version,
    ...(trigger === undefined ? {} : { triggerId: trigger.id, triggerName: trigger.name }),
    ...(deploymentId === undefined ? {} : { deploymentId }),
  }).toString();
}

/** Parses the result of `formId`. */
export function formOfId(id: string): FormLookup {
  const members = new URLSearchParams(id);
  const [triggerId, deploymentId] = [members.get("triggerId"), members.get("deploymentId")];
  return {
    version: members.get("version") ?? "",
    ...(triggerId === null ? {} : { trigger: { id: triggerId, name: members.get("triggerName") ?? triggerId } }),
    ...(deploymentId === null ? {} : { deploymentId }),
  };
}

/** The input of the form operation. Missing members are not sent (API description, 4.6). */
export function formInput(
  modelId: string,
  { version, trigger, deploymentId }: FormLookup,
): InputOf<typeof getTriggerForm> {
  return {
    modelId,
    version,
    ...(trigger === undefined ? {} : { triggerId: trigger.id }),
    ...(deploymentId === undefined ? {} : { deploymentId }),
  };
}

const everyVersion = "all";

/** Versions of a workflow as the id of a resource. */
export function versionsId(versions: readonly string[]): string {
  return versions.length === 0 ? everyVersion : versions.join(",");
}

/** Parses the result of `versionsId`; empty for all versions. */
export function versionsOfId(id: string): readonly string[] {
  return id === everyVersion ? [] : id.split(",");
}
