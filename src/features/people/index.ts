import { defineFeature } from "../../ui/feature.ts";

/** The people of a tenant, who own, share and start what the other features show. */
export const people = defineFeature({
  commands: {},
  create: () => ({
    details: { types: ["user"], load: async () => (await import("./details.ts")).userReaders },
  }),
});
