import * as z from "zod/mini";

/** A body whose contents the API description does not show: any object or array, an empty object when none is given. */
export const jsonBody = z._default(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), {});
