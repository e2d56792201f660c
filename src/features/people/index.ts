import { defineFeature } from "../../ui/feature.ts";

/** The users of a tenant, who own, share, and start the items of other features. */
export const people = defineFeature({
  commands: {},
  create: () => ({
    details: { types: ["user"], load: async () => (await import("./details.ts")).userReaders },
  }),
});
