import { type FidelitySection, operation, statement } from "./statement.ts";

/** Limits. */
export const section8: FidelitySection = {
  number: "8",
  title: "Limits",
  statements: [
    operation("designs.list", "30 designs a page", {
      reach: ["view:designs"],
      proof: [
        "test/ui/shared-window/designs.test.ts > lists a page of designs with version and owners next to the name, and the next page on demand",
      ],
    }),
    operation("designs.list", "10 seconds for the list of designs", {
      proof: [
        "test/unit/api/families/designs.test.ts > are listed with a limit of 10 s, and read with their own parts",
      ],
    }),
    statement("5 requests at a time in a recursive listing", {
      code: ["src/api/content-server/concurrency.ts#drain"],
      reach: ["command:goToFile"],
      served: ["operation:contents.get"],
      proof: [
        "test/unit/api/content-server/listing.test.ts > keeps exactly five requests in flight for as long as there are folders to read",
      ],
    }),
    operation("sandbox.authorizations.list", "250 instances by default", { reach: ["view:sandbox"] }),
  ],
};
