import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Pages. */
export const section44: FidelitySection = {
  number: "4.4",
  title: "Pages",
  statements: [
    statement("A body is any object or array, and an empty object by default", {
      code: ["src/api/catalogue/models/pages.ts#jsonBody"],
      reach: ["command:runOperation"],
      served: ["operation:pages.duplicate"],
    }),
    statement("Page IDs and card IDs are strings of any form", {
      code: ["src/api/families/pages/pages.ts#pageIdOnWire"],
      reach: ["command:sendCardAction", "command:movePages"],
      served: ["operation:pages.cards.act"],
    }),
    rule("pages.summaries.search", "POST adminsummary lists pages for administrators", {
      code: ["src/api/families/pages/pages.ts#allPageSummaries"],
      reach: ["command:showPageSummary"],
    }),
    rule("pages.bulk.move", "PUT bulk/move moves pages to a target", { reach: ["command:movePages"] }),
    rule("pages.owners.remove", "POST bulk/owners/remove removes owners from pages", {
      reach: ["command:removePageOwners"],
    }),
    rule("pages.order.update", "PUT pageorder orders pages", {
      reach: ["command:movePageUp", "command:movePageDown"],
    }),
    rule("pages.cards.act", "POST to a card of a page sends a card action", { reach: ["command:sendCardAction"] }),
    operation("pages.duplicate", "PUT duplicate makes a copy and waits for it", { reach: ["command:runOperation"] }),
    rule("pages.duplicateAsync", "PUT duplicateAsync makes a copy in the background", {
      reach: ["command:duplicatePage"],
    }),
    rule("pages.shares.remove", "DELETE share revokes a user's, group's, or domain's access", {
      reach: ["command:removePageSharing"],
    }),
    rule(
      "pages.shares.remove",
      "The user is informed that the request may affect every page, because it can't name pages",
      {
        code: ["src/api/families/pages/pages.ts#shareScopeOf", "src/features/pages/access.ts#scopeText"],
        reach: ["command:removePageSharing"],
      },
    ),
    rule("pages.navigation.get", "GET navigation is the page hierarchy", { reach: ["view:pages"] }),
    operation("pages.filterViews.get", "GET an analyzer filter view", { reach: ["command:showFilterView"] }),
    rule("pages.filterViews.delete", "DELETE an analyzer filter view", { reach: ["command:deleteFilterView"] }),
    rule("pages.analyzer.update", "PUT a page's analyzer takes its settings", {
      reach: ["command:editFilterView"],
    }),
    operation("pages.filterViews.list", "GET the saved filter views of a page", { reach: ["view:pages"] }),
    rule("pages.collections.list", "GET the collections that a page belongs to", {
      code: ["src/features/pages/rows/collection.ts#collectionList"],
      reach: ["view:pages"],
    }),
    rule("pages.collections.add", "POST adds the page to a collection, by the collection's id and others", {
      code: ["src/features/pages/memberships.ts#askForMembership"],
      reach: ["command:addPageCollection"],
    }),
    rule("pages.collections.update", "PUT changes a membership", {
      code: ["src/features/pages/memberships.ts#askForMembershipChange"],
      reach: ["command:changePageCollection"],
    }),
    rule("pages.collections.remove", "DELETE removes a membership", { reach: ["command:removePageCollection"] }),
  ],
};
