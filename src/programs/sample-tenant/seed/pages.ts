import { people, userId } from "./organization.ts";
import { Random } from "./random.ts";

export interface OwnerState {
  readonly id: number;
  readonly type: "USER" | "GROUP";
}

/** Access to a page other than ownership; `type` is user, group, or domain. */
interface ShareState {
  readonly type: string;
  readonly id: string;
}

/** The stored data of a page; times in epoch milliseconds. Siblings are in their order. */
export interface PageState {
  readonly id: number;
  readonly title: string;
  /** The parent page; null at the top level. */
  readonly parentId: number | null;
  readonly owners: readonly OwnerState[];
  readonly shares: readonly ShareState[];
  readonly locked: boolean;
  readonly cardIds: readonly (number | string)[];
  readonly created: number;
  readonly updated: number;
}

/** A saved filter view; `settings` is the saved body. */
export interface FilterViewState {
  readonly id: number;
  readonly pageId: number;
  readonly name: string;
  readonly scope: "PAGE" | "USER";
  readonly isDefault: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface CollectionState {
  readonly id: number;
  readonly pageId: number;
  readonly title: string;
  readonly description: string;
  readonly cardIds: readonly (number | string)[];
}

/** The pages of a tenant and their data. */
export interface PagesState {
  readonly pages: readonly PageState[];
  readonly filterViews: readonly FilterViewState[];
  readonly collections: readonly CollectionState[];
  /** The id of the next created item. */
  readonly nextId: number;
}

interface Branch {
  readonly [title: string]: Branch;
}

const tree: Branch = {
  Sales: {
    "Sales EMEA": { Germany: {}, France: {}, "Nordics & Baltics": {} },
    "Sales Americas": { Brazil: {}, "United States": {} },
    "Sales APAC": { 日本: {} },
    Pipeline: {},
  },
  Finance: { "Month-end close": {}, Budget: { "Budget 2026": {}, "Budget 2025": {} }, "Cash flow": {} },
  "Supply chain": { Suppliers: {}, Inventory: { "Slow movers": {} }, Shipments: {} },
  Marketing: { Campaigns: {}, "Web shop": {}, "Trade fairs": {} },
  "People & culture": { Headcount: {}, Hiring: {} },
  Operations: { "Sensor readings": {} },
};

const firstPageId = 1001;
const firstCardId = 90_210;
const analysts: OwnerState = { id: 31, type: "GROUP" };
const founded = "2025-10-02T08:15:30Z";
const changed = "2025-11-18T16:42:05Z";

/** About thirty pages in a tree, the same for the same seed. */
export function samplePages(seed: string): PagesState {
  const random = new Random(`${seed} pages`);
  const pages: PageState[] = [];
  let cards = 0;
  const add = (branch: Branch, parentId: number | null): void => {
    for (const [title, children] of Object.entries(branch)) {
      const id = firstPageId + pages.length;
      const first = firstCardId + cards;
      const cardIds = Array.from({ length: random.integer(2, 9) }, (_, index) => first + index);
      cards += cardIds.length;
      const owner = random.chance(0.6) ? people[0] : random.pick(people);
      pages.push({
        id,
        title,
        parentId,
        owners: [{ id: owner.id, type: "USER" }, ...(random.chance(0.3) ? [analysts] : [])],
        shares: [
          { type: "group", id: "35" },
          ...(random.chance(0.5) ? [{ type: "user", id: String(random.pick(people).id) }] : []),
          ...(random.chance(0.1) ? [{ type: "domain", id: "partner.example.com" }] : []),
        ],
        locked: random.chance(0.15),
        cardIds,
        created: Date.parse(random.time(founded, changed)),
        updated: Date.parse(changed) - random.integer(0, 20) * 3_600_000,
      });
      add(children, id);
    }
  };
  add(tree, null);
  const filterViews = pages
    .filter((_, index) => index % 3 === 0)
    .flatMap(({ id, title }, index) => viewsOf(id, title, 201 + index * 2));
  const collections = pages
    .filter((_, index) => index % 4 === 1)
    .map(({ id, cardIds }, index) => ({
      id: 51 + index,
      pageId: id,
      title: "Top cards",
      description: "Most used",
      cardIds: cardIds.slice(0, 2),
    }));
  return { pages, filterViews, collections, nextId: 5001 };
}

function viewsOf(pageId: number, title: string, id: number): readonly FilterViewState[] {
  const filter = (column: string, values: readonly string[]) => ({
    column,
    operand: "IN",
    values,
    dataType: "string",
    filterType: "LEGACY",
    affectedCardUrns: [],
    dataSourceId: "7a1d3b52-0f6c-4c19-8e57-d2b4a6c80e11",
    sourceCardURN: "",
  });
  const rest = { dateTimeRange: { overrideDateRange: false }, functionOverrides: {}, segmentIds: [] };
  return [
    {
      id,
      pageId,
      name: `${title}: north only`,
      scope: "PAGE",
      isDefault: true,
      settings: { filters: [filter("Region", ["North"])], ...rest },
    },
    {
      id: id + 1,
      pageId,
      name: "My view",
      scope: "USER",
      isDefault: false,
      settings: { filters: [filter("Owner", [String(userId)])], ...rest },
    },
  ];
}
