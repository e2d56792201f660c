import type { DetailValue } from "../../ui/details/details.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";

/** A link to a version of a workflow; the version alone where the workflow is not known. */
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
