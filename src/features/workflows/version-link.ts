import type { DetailValue } from "../../ui/details/details.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";

/** A link to a version of a workflow; only the version if the workflow is unknown. */
export function versionLink(
  { tenantId, id: parentId, name }: Pick<PlatformResource, "tenantId" | "id" | "name">,
  version: string,
): DetailValue {
  return version === "" || parentId === ""
    ? version
    : {
        type: "resource",
        resource: { type: "workflowVersion", tenantId, id: version, parentId, name: versionName(name, version) },
      };
}
