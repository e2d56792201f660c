import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Enterprise app designs. */
export const section43: FidelitySection = {
  number: "4.3",
  title: "Enterprise app designs",
  statements: [
    rule("designs.list", "GET designs lists them by limit and offset, 30 a page", { reach: ["view:designs"] }),
    rule(
      "designs.list",
      "The list requests designs as an administrator, with ADMIN permission, not deleted, newest first",
    ),
    rule(
      "designs.list",
      "The list requests owners, creator, thumbnail, versions, and cards, with an empty search text",
      { reach: ["command:filterDesigns"] },
    ),
    rule("designs.get", "GET a design requests owners, cards, versions, and creator by default", {
      reach: ["view:designs"],
    }),
    operation("designs.versions.list", "GET versions lists them", { reach: ["view:designs"] }),
    rule("designs.versions.assets", "GET assets streams a ZIP archive", {
      code: ["src/api/families/design-assets.ts#fetchDesignAssets"],
      reach: ["command:downloadDesignSource", "command:browseDesignFiles"],
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
    }),
    rule("designs.permissions.get", "Rule 2: GET permissions returns 405"),
    rule("designs.admins.add", "Rule 3: the owners are read, merged as whole numbers, sorted, each once, and posted", {
      code: ["src/api/families/designs.ts#addDesignAdmins"],
      reach: ["command:addDesignAdmins"],
    }),
    rule("designs.admins.add", "Rule 4: the success text is built from the input, and not read back", {
      code: ["src/api/families/designs.ts#addDesignAdmins"],
      reach: ["command:addDesignAdmins"],
    }),
    rule("designs.versions.assets", "Rule 5: the archive can be saved in a folder of this computer and unpacked", {
      code: ["src/api/families/design-assets.ts#fetchDesignAssets"],
      reach: ["command:downloadDesignSource"],
    }),
  ],
};
