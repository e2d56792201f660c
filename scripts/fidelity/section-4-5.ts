import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Sandbox. */
export const section45: FidelitySection = {
  number: "4.5",
  title: "Sandbox",
  statements: [
    operation("sandbox.authorizations.list", "GET authorizations lists instances, 250 at most by default", {
      reach: ["view:sandbox"],
    }),
    rule("sandbox.aliases.update", "POST aliases updates an alias", { reach: ["command:changeInstanceAlias"] }),
    rule("sandbox.commitRequests.search", "POST commitRequests/search finds commit requests, a page at a time", {
      code: ["src/api/families/sandbox.ts#allCommitRequests"],
      reach: ["command:searchCommitRequests"],
    }),
    rule("sandbox.commitRequests.search", "Its list is looked up under four keys in order, then as a bare list", {
      code: ["src/api/catalogue/models/sandbox.ts#listKeys"],
      reach: ["command:searchCommitRequests"],
    }),
    rule("sandbox.promotions.search", "POST promotions/search finds promotions, a page at a time", {
      code: ["src/api/families/sandbox.ts#allPromotions"],
      reach: ["command:searchPromotions"],
    }),
    rule("sandbox.promotions.search", "Its list is looked up under three keys in order, then as a bare list", {
      code: ["src/api/catalogue/models/sandbox.ts#listKeys"],
      reach: ["command:searchPromotions"],
    }),
    operation("sandbox.repositories.get", "GET a repository", { reach: ["view:sandbox"] }),
    rule("sandbox.repositories.get", "A repository is opened by its ID if no operation lists repositories", {
      code: ["src/ui/quick-input/choose-resource.ts#chooseResource"],
      reach: ["command:promoteAndSeed"],
    }),
    operation("sandbox.repositories.access.get", "GET access lists the instances that have it", {
      reach: ["view:sandbox"],
    }),
    rule("sandbox.repositories.access.update", "POST access takes a bare array of domains, at the path of its GET", {
      reach: ["command:giveRepositoryAccess"],
    }),
    operation("sandbox.repositories.commitRequests.list", "GET the commit requests of a repository", {
      reach: ["view:sandbox"],
    }),
    rule("sandbox.repositories.commitRequests.create", "POST a commit", { reach: ["command:createCommit"] }),
    operation("sandbox.repositories.commits.list", "GET the commits of a repository", { reach: ["view:sandbox"] }),
    operation("sandbox.repositories.permissions.get", "GET the user and group permissions", {
      reach: ["view:sandbox"],
    }),
    rule("sandbox.repositories.permissions.update", "POST an array of permission updates", {
      reach: ["command:changeRepositoryPermission"],
    }),
    rule("sandbox.promotions.promoteAndSeed", "POST promoteAndSeed promotes a commit to a deployment", {
      reach: ["command:promoteAndSeed"],
    }),
    rule("sandbox.settings.update", "Promotions within the same instance can be allowed and forbidden", {
      code: ["src/api/families/sandbox.ts#toggleSameInstancePromotion"],
      reach: ["command:toggleSameInstancePromotion"],
    }),
    rule("sandbox.settings.update", "A toggle that can't be read afterward reports that the change was made", {
      code: ["src/api/families/sandbox.ts#toggleSameInstancePromotion"],
      reach: ["command:toggleSameInstancePromotion"],
    }),
    statement("The prefix of the repository endpoints is not shown: it is the sandbox's own and can be configured", {
      code: ["src/api/http/dialects.ts#dialects"],
      reach: ["setting:tenants"],
      served: ["operation:sandbox.repositories.get"],
    }),
  ],
};
