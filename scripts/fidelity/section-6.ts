import { type FidelitySection, operation } from "./statement.ts";

/** Events. */
export const section6: FidelitySection = {
  number: "6",
  title: "Events",
  statements: [
    operation(
      "sandbox.repositories.commitRequests.create",
      "The event ID of a commit or promotion is a field of the request, not an event",
      {
        code: ["src/api/families/sandbox.ts#commitCreateBody"],
        reach: ["command:createCommit"],
        proof: ["test/ui/shared-window/sandbox.test.ts > creates a commit with a summary, and shows its progress"],
      },
    ),
  ],
};
