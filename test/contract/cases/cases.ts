import type { OperationId } from "../../../src/api/catalogue/operations/catalogue.ts";
import type { ContractTenant } from "../tenant.ts";

/** The inputs for the operations of one family, and the expected answers. */
export type Cases = Readonly<Partial<Record<OperationId, (tenant: ContractTenant) => Promise<void>>>>;
