import { type FidelitySection, operation, statement } from "./statement.ts";

const tests = "test/unit/api/families/designs.test.ts";

/** Enterprise app designs. */
export const section43: FidelitySection = {
  number: "4.3",
  title: "Enterprise app designs",
  statements: [
    operation("designs.list", "GET designs lists them by limit and offset, 30 a page", {
      reach: ["view:designs"],
      proof: [
        "test/ui/shared-window/designs.test.ts > lists a page of designs with version and owners next to the name, and the next page on demand",
      ],
    }),
    operation(
      "designs.list",
      "The list requests designs as an administrator, with ADMIN permission, not deleted, newest first",
      {
        proof: [`${tests} > are requested with the given values instead of the defaults`],
      },
    ),
    operation(
      "designs.list",
      "The list requests owners, creator, thumbnail, versions, and cards, with an empty search text",
      {
        reach: ["command:filterDesigns"],
        proof: [`${tests} > are requested with the given values instead of the defaults`],
      },
    ),
    operation("designs.get", "GET a design requests owners, cards, versions, and creator by default", {
      reach: ["view:designs"],
      proof: [`${tests} > are listed with a limit of 10 s, and read with their own parts`],
    }),
    operation("designs.versions.list", "GET versions lists them", { reach: ["view:designs"] }),
    operation("designs.versions.assets", "GET assets streams a ZIP archive", {
      code: ["src/api/families/design-assets.ts#fetchDesignAssets"],
      reach: ["command:downloadDesignSource", "command:browseDesignFiles"],
      proof: [
        "test/unit/api/families/design-assets.test.ts > streams 100 MB to disk without keeping them in memory, at the speed of the disk",
      ],
    }),
    operation("designs.admins.add", "POST permissions/ADMIN takes an array of user IDs and returns a status", {
      reach: ["command:addDesignAdmins"],
    }),
    operation("designs.admins.add", "Rule 1: the grant is additive: existing access is kept", {
      reach: ["command:addDesignAdmins"],
    }),
    statement("Rule 1: no operation removes a principal of a design", {
      code: ["src/api/catalogue/operations/catalogue.ts#catalogue"],
      reach: ["view:designs"],
      served: ["operation:designs.admins.add"],
      proof: [
        "test/contract/coverage.test.ts > has every endpoint of the API description, 4.1 to 4.8, exactly once, and no others in these sections",
      ],
    }),
    operation("designs.permissions.get", "Rule 2: GET permissions returns 405", {
      proof: [`${tests} > have unreadable permissions, and report why`],
    }),
    operation(
      "designs.admins.add",
      "Rule 3: the owners are read, merged as whole numbers, sorted, each once, and posted",
      {
        code: ["src/api/families/designs.ts#addDesignAdmins"],
        reach: ["command:addDesignAdmins"],
        proof: [`${tests} > are merged with the current owners: whole numbers, sorted numerically, without duplicates`],
      },
    ),
    operation("designs.admins.add", "Rule 4: the success text is built from the input, and not read back", {
      code: ["src/api/families/designs.ts#addDesignAdmins"],
      reach: ["command:addDesignAdmins"],
      proof: [`${tests} > are reported from the input without another read`],
    }),
    operation("designs.versions.assets", "Rule 5: the archive can be saved in a folder of this computer and unpacked", {
      code: ["src/api/families/design-assets.ts#fetchDesignAssets"],
      reach: ["command:downloadDesignSource"],
      proof: ["test/unit/api/families/design-assets.test.ts > keeps and unpacks it in one folder"],
    }),
  ],
};
