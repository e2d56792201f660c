import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Limits. */
export const section8: FidelitySection = {
  number: "8",
  title: "Limits",
  statements: [
    rule("designs.list", "30 designs a page", { reach: ["view:designs"] }),
    rule("designs.list", "10 seconds for the list of designs"),
    statement("5 requests at a time in a recursive listing", {
      code: ["src/api/content-server/concurrency.ts#drain"],
      reach: ["command:goToFile"],
      served: ["operation:contents.get"],
    }),
    operation("sandbox.authorizations.list", "250 instances by default", { reach: ["view:sandbox"] }),
  ],
};
