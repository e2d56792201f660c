import * as z from "zod/mini";
import { valueFromText } from "../../../api/catalogue/operation-parameters.ts";
import type { CatalogueOperation } from "../../../api/catalogue/operations/catalogue.ts";
import { ErrorResponse } from "./handler.ts";

/**
 * Validates a query as the platform does: ignores unknown parameters, and rejects missing required ones and invalid
 * values. Throws an ErrorResponse 400.
 */
export function checkQuery({ queryParameters }: CatalogueOperation, query: URLSearchParams): void {
  for (const [name, shape] of Object.entries<z.ZodMiniType>(queryParameters)) {
    const text = query.get(name);
    const checked = z.safeParse(shape, text === null ? undefined : valueFromText(shape, text));
    if (!checked.success) {
      throw new ErrorResponse(
        400,
        text === null
          ? `Required request parameter '${name}' is not present`
          : `${name}: ${checked.error.issues[0]?.message ?? "not valid"}`,
      );
    }
  }
}
