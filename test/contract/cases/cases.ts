import type { OperationId } from "../../../src/api/catalogue/operations/catalogue.ts";
import type { ContractTenant } from "../tenant.ts";

/** What operations of one family are called with and what their answers have to be. */
export type Cases = Readonly<Partial<Record<OperationId, (tenant: ContractTenant) => Promise<void>>>>;
