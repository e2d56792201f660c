import type { Tenant } from "../../tenants/tenant.ts";

/**
 * Maximum length of a server's label. Clients leave out tools if the label, a separator, and the tool's name have more
 * than 60 characters, and a front door's tools have names of up to 30.
 */
export const maxLabelLength = 29;
/** Characters of a tenant's label that are always shown. */
const leastShown = 8;

/**
 * A label for each tenant's server, by the tenant's ID. They are different, because the editor identifies a server by
 * its label.
 *
 * @param labeled adds to a tenant's label that the server is a front door
 */
export function serverLabels(
  tenants: readonly Pick<Tenant, "id" | "label">[],
  labeled: (tenantLabel: string) => string,
): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, label } of tenants) {
    let found = shortLabel(label, "", labeled);
    for (let number = 2; taken.has(found); number += 1) {
      found = shortLabel(label, ` ${number}`, labeled);
    }
    taken.add(found);
    labels.set(id, found);
  }
  return labels;
}

function shortLabel(label: string, mark: string, labeled: (tenantLabel: string) => string): string {
  const room = maxLabelLength - mark.length;
  const added = labeled("").length;
  return room - added < leastShown
    ? `${beginning(label, room)}${mark}`
    : labeled(`${beginning(label, room - added)}${mark}`);
}

function beginning(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
