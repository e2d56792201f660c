import { type FidelitySection, operation, statement } from "./statement.ts";

const sandbox = "test/ui/shared-window/sandbox.test.ts";
const lists = "test/unit/api/families/sandbox.test.ts";

/** Sandbox. */
export const section45: FidelitySection = {
  number: "4.5",
  title: "Sandbox",
  statements: [
    operation("sandbox.authorizations.list", "GET authorizations lists instances, 250 at most by default", {
      reach: ["view:sandbox"],
    }),
    operation("sandbox.aliases.update", "POST aliases updates an alias", {
      reach: ["command:changeInstanceAlias"],
      proof: [`${sandbox} > sets an instance's alias, and allows promotions within the same instance`],
    }),
    operation("sandbox.commitRequests.search", "POST commitRequests/search finds commit requests, a page at a time", {
      code: ["src/api/families/sandbox.ts#allCommitRequests"],
      reach: ["command:searchCommitRequests"],
      proof: [`${sandbox} > searches the history of commit requests with filters, as a document`],
    }),
    operation("sandbox.commitRequests.search", "Its list is looked up under four keys in order, then as a bare list", {
      code: ["src/api/catalogue/models/sandbox.ts#listKeys"],
      reach: ["command:searchCommitRequests"],
      proof: [`${lists} > of commit requests are found under …`],
    }),
    operation("sandbox.promotions.search", "POST promotions/search finds promotions, a page at a time", {
      code: ["src/api/families/sandbox.ts#allPromotions"],
      reach: ["command:searchPromotions"],
      proof: [`${sandbox} > searches the history of promotions by who started them`],
    }),
    operation("sandbox.promotions.search", "Its list is looked up under three keys in order, then as a bare list", {
      code: ["src/api/catalogue/models/sandbox.ts#listKeys"],
      reach: ["command:searchPromotions"],
      proof: [`${lists} > of promotions are found under promotions, results, items or as a bare list, in this order`],
    }),
    operation("sandbox.repositories.get", "GET a repository", { reach: ["view:sandbox"] }),
    operation("sandbox.repositories.get", "A repository is opened by its ID if no operation lists repositories", {
      code: ["src/ui/quick-input/choose-resource.ts#chooseResource"],
      reach: ["command:promoteAndSeed"],
      proof: [
        "test/ui/described.test.ts > opens a repository by its ID if the platform has no list, and promotes to a deployment by its ID",
      ],
    }),
    operation("sandbox.repositories.access.get", "GET access lists the instances that have it", {
      reach: ["view:sandbox"],
    }),
    operation(
      "sandbox.repositories.access.update",
      "POST access takes a bare array of domains, at the path of its GET",
      {
        reach: ["command:giveRepositoryAccess"],
        proof: [`${sandbox} > removes access only after it lists who loses it; canceling sends nothing`],
      },
    ),
    operation("sandbox.repositories.commitRequests.list", "GET the commit requests of a repository", {
      reach: ["view:sandbox"],
    }),
    operation("sandbox.repositories.commitRequests.create", "POST a commit", {
      reach: ["command:createCommit"],
      proof: [`${sandbox} > creates a commit with a summary, and shows its progress`],
    }),
    operation("sandbox.repositories.commits.list", "GET the commits of a repository", { reach: ["view:sandbox"] }),
    operation("sandbox.repositories.permissions.get", "GET the user and group permissions", {
      reach: ["view:sandbox"],
    }),
    operation("sandbox.repositories.permissions.update", "POST an array of permission updates", {
      reach: ["command:changeRepositoryPermission"],
      proof: [`${sandbox} > changes a permission, and lists people with permissions first`],
    }),
    operation("sandbox.promotions.promoteAndSeed", "POST promoteAndSeed promotes a commit to a deployment", {
      reach: ["command:promoteAndSeed"],
      proof: [`${sandbox} > promotes a commit through a form that lists the mapping, and confirms what it replaces`],
    }),
    operation("sandbox.settings.update", "Promotions within the same instance can be allowed and forbidden", {
      code: ["src/api/families/sandbox.ts#toggleSameInstancePromotion"],
      reach: ["command:toggleSameInstancePromotion"],
      proof: [`${lists} > toggle promotions within the instance, and read the result`],
    }),
    operation("sandbox.settings.update", "A toggle that can't be read afterward reports that the change was made", {
      code: ["src/api/families/sandbox.ts#toggleSameInstancePromotion"],
      reach: ["command:toggleSameInstancePromotion"],
      proof: [`${lists} > toggle promotions, and report if the settings can't be read afterward`],
    }),
    statement("The prefix of the repository endpoints is not shown: it is the sandbox's own and can be configured", {
      code: ["src/api/http/dialects.ts#dialects"],
      reach: ["setting:tenants"],
      served: ["operation:sandbox.repositories.get"],
      proof: ["test/unit/api/http/dialects.test.ts > can have single entries overridden, and keep the others"],
    }),
  ],
};
