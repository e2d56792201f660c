import { type FidelitySection, operation, statement } from "./statement.ts";

const pages = "test/ui/pages.test.ts";
const memberships = "test/ui/shared-window/page-memberships.test.ts";

/** Pages. */
export const section44: FidelitySection = {
  number: "4.4",
  title: "Pages",
  statements: [
    statement("A body is any object or array, and an empty object by default", {
      code: ["src/api/catalogue/models/pages.ts#jsonBody"],
      reach: ["command:runOperation"],
      served: ["operation:pages.duplicate"],
      proof: ["test/unit/api/families/pages.test.ts > without a body send an empty object, and a list unchanged"],
    }),
    statement("Page IDs and card IDs are strings of any form", {
      code: ["src/api/families/pages.ts#pageIdOnWire"],
      reach: ["command:sendCardAction", "command:movePages"],
      served: ["operation:pages.cards.act"],
      proof: ["case:pages.cards.act", "test/unit/api/families/pages.test.ts > send IDs that aren't numbers as strings"],
    }),
    operation("pages.summaries.search", "POST adminsummary lists pages for administrators", {
      code: ["src/api/families/pages.ts#allPageSummaries"],
      reach: ["command:showPageSummary"],
      proof: [`${pages} > shows the admin summary as a table that can be sorted by its headings`],
    }),
    operation("pages.bulk.move", "PUT bulk/move moves pages to a target", {
      reach: ["command:movePages"],
      proof: [`${pages} > moves several pages at once, and back`],
    }),
    operation("pages.owners.remove", "POST bulk/owners/remove removes owners from pages", {
      reach: ["command:removePageOwners"],
      proof: [`${pages} > lists the pages before it removes owners, and changes nothing if canceled`],
    }),
    operation("pages.order.update", "PUT pageorder orders pages", {
      reach: ["command:movePageUp", "command:movePageDown"],
      proof: [`${pages} > moves a page by one position without a mouse`],
    }),
    operation("pages.cards.act", "POST to a card of a page sends a card action", {
      reach: ["command:sendCardAction"],
      proof: [`${pages} > sends a card action`],
    }),
    operation("pages.duplicate", "PUT duplicate makes a copy and waits for it", {
      reach: ["command:runOperation"],
      proof: ["case:pages.duplicate"],
    }),
    operation("pages.duplicateAsync", "PUT duplicateAsync makes a copy in the background", {
      reach: ["command:duplicatePage"],
      proof: [`${pages} > duplicates a page with progress, with or without its cards`],
    }),
    operation("pages.shares.remove", "DELETE share revokes a user's, group's, or domain's access", {
      reach: ["command:removePageSharing"],
      proof: [`${pages} > removes a group's access`],
    }),
    operation(
      "pages.shares.remove",
      "The user is informed that the request may affect every page, because it can't name pages",
      {
        code: ["src/api/families/pages.ts#shareScopeOf", "src/features/pages/access.ts#scopeText"],
        reach: ["command:removePageSharing"],
        proof: [
          `${memberships} > are affected by removing a share, whose request can't name them`,
          "test/unit/api/families/pages.test.ts > include the pages of a removed share only if the platform is known to accept them",
        ],
      },
    ),
    operation("pages.navigation.get", "GET navigation is the page hierarchy", {
      reach: ["view:pages"],
      proof: [`${pages} > shows the hierarchy with one request, and a page's collections and filter views below it`],
    }),
    operation("pages.filterViews.get", "GET an analyzer filter view", { reach: ["command:showFilterView"] }),
    operation("pages.filterViews.delete", "DELETE an analyzer filter view", {
      reach: ["command:deleteFilterView"],
      proof: [`${pages} > shows, changes, and deletes a filter view`],
    }),
    operation("pages.analyzer.update", "PUT a page's analyzer takes its settings", {
      reach: ["command:editFilterView"],
      proof: [`${pages} > shows, changes, and deletes a filter view`],
    }),
    operation("pages.filterViews.list", "GET the saved filter views of a page", { reach: ["view:pages"] }),
    operation("pages.collections.list", "GET the collections that a page belongs to", {
      code: ["src/features/pages/rows/collection.ts#collectionList"],
      reach: ["view:pages"],
      proof: [`${memberships} > become members of a collection, change the membership, and leave it`],
    }),
    operation("pages.collections.add", "POST adds the page to a collection, by the collection's id and others", {
      code: ["src/features/pages/memberships.ts#askForMembership"],
      reach: ["command:addPageCollection"],
      proof: [`${memberships} > become members of a collection, change the membership, and leave it`],
    }),
    operation("pages.collections.update", "PUT changes a membership", {
      code: ["src/features/pages/memberships.ts#askForMembershipChange"],
      reach: ["command:changePageCollection"],
      proof: [`${memberships} > become members of a collection, change the membership, and leave it`],
    }),
    operation("pages.collections.remove", "DELETE removes a membership", {
      reach: ["command:removePageCollection"],
      proof: [`${memberships} > become members of a collection, change the membership, and leave it`],
    }),
  ],
};
