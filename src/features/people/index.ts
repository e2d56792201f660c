import { defineFeature } from "../../ui/feature.ts";

/** The users of a tenant, who own and share the items of other features, and start workflows. */
export const people = defineFeature({
  commands: {},
  create: () => ({
    details: { types: ["user"], load: async () => (await import("./details.ts")).userReaders },
  }),
});
