import { type FidelitySection, rule } from "./statement.ts";

/** Events. */
export const section6: FidelitySection = {
  number: "6",
  title: "Events",
  statements: [
    rule(
      "sandbox.repositories.commitRequests.create",
      "The event ID of a commit or promotion is a field of the request, not an event",
      { code: ["src/api/families/sandbox.ts#commitCreateBody"], reach: ["command:createCommit"] },
    ),
  ],
};
