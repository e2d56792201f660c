import { AccountScope } from "../api/client/account-scope.ts";
import type { PlatformCredential } from "../api/http/credentials.ts";
import type { Tenant } from "./tenant.ts";

interface Account {
  readonly scope: AccountScope;
  /** Undefined until the first request. */
  readonly credential: PlatformCredential | undefined;
}

/** What is remembered for the account of each tenant, as long as the user is signed in to it. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  /** The scope of the tenant's current account. */
  current(tenantId: string): AccountScope {
    const known = this.#accounts.get(tenantId);
    return known === undefined ? this.#begin(tenantId, undefined) : known.scope;
  }

  /** The scope of a credential. The scope of another credential of the tenant ends. */
  of(tenant: Tenant, credential: PlatformCredential): AccountScope {
    const known = this.#accounts.get(tenant.id);
    if (known?.credential !== undefined && isSame(known.credential, credential)) {
      return known.scope;
    }
    if (known !== undefined && known.credential === undefined) {
      this.#accounts.set(tenant.id, { scope: known.scope, credential });
      return known.scope;
    }
    return this.#begin(tenant.id, credential);
  }

  /** Ends the scope of a tenant's account. */
  end(tenantId: string): void {
    this.#accounts.get(tenantId)?.scope.end();
    this.#accounts.delete(tenantId);
  }

  /** Ends the scopes of all other tenants. */
  endExcept(tenants: readonly Tenant[]): void {
    for (const tenantId of [...this.#accounts.keys()]) {
      if (!tenants.some(({ id }) => id === tenantId)) {
        this.end(tenantId);
      }
    }
  }

  #begin(tenantId: string, credential: PlatformCredential | undefined): AccountScope {
    this.end(tenantId);
    const scope = new AccountScope();
    this.#accounts.set(tenantId, { scope, credential });
    return scope;
  }
}

function isSame(one: PlatformCredential, other: PlatformCredential): boolean {
  return one.origin === other.origin && one.reveal() === other.reveal();
}
