import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantElement } from "./elements.ts";

/** The rows of the tenants, where there are several: one object for each, so that it can be drawn again alone. */
export class TenantElements {
  readonly #registry: Pick<TenantRegistry, "current">;
  readonly #known = new Map<string, TenantElement>();

  constructor(registry: Pick<TenantRegistry, "current">) {
    this.#registry = registry;
  }

  /** The tenant's row, with what is true of it now. */
  of(tenant: Tenant, isSignedIn: boolean): TenantElement {
    const isCurrent = tenant.id === this.#registry.current?.id;
    const now: TenantElement = { type: "tenant", tenant, isSignedIn, isCurrent };
    const element = Object.assign(this.#known.get(tenant.id) ?? now, now);
    this.#known.set(tenant.id, element);
    return element;
  }
}
