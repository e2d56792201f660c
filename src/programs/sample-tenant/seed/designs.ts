import { people, userId } from "./organization.ts";
import { Random } from "./random.ts";

/** A version of a design. Times are ISO 8601. */
export interface DesignVersionState {
  readonly version: string;
  readonly created: string;
  /** Null for a draft. */
  readonly released: string | null;
}

/** The stored data of an enterprise app design; users are ids. */
export interface DesignState {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The whole access list. */
  readonly owners: readonly number[];
  readonly creator: number;
  /** Absent if it is the creator. */
  readonly owner?: number;
  readonly created: string;
  readonly updated: string;
  /** ISO 8601; absent if it isn't deleted. */
  readonly deleted?: string;
  /** Users who can read it without being an owner. */
  readonly readers?: readonly number[];
  /** Newest first. */
  readonly versions: readonly DesignVersionState[];
  readonly cards: readonly { readonly id: number; readonly title: string }[];
}

const subjects = [
  "Order",
  "Customer",
  "Inventory",
  "Supplier",
  "Shipment",
  "Invoice",
  "Campaign",
  "Ticket",
  "Employee",
  "Forecast",
];
const kinds = ["board", "explorer", "planner", "form"];
const purposes: Readonly<Record<string, string>> = {
  board: "Shows what is open, what is late, and who is working on it",
  explorer: "Filters, compares, and drills down to single rows",
  planner: "Collects targets and writes them back to the data",
  form: "Collects values that are missing from the data",
};

/** A design that the signed-in user can't access: it is in no list, and reading it returns 404. */
const foreign: DesignState = {
  id: "9d41c6e0-27b8-4f53-8c1a-64f0e2b7d935",
  name: "Salary planner",
  description: "Not shared with you",
  owners: [270_031_566],
  creator: 270_031_566,
  created: "2025-03-04T10:00:00Z",
  updated: "2025-09-30T09:12:45Z",
  versions: [{ version: "1.0.0", created: "2025-03-04T10:00:00Z", released: "2025-03-05T10:00:00Z" }],
  cards: [],
};

/** A design that the signed-in user can read but not change: it is listed only for the permission READ. */
const readable: DesignState = {
  id: "4b8e07d2-91c5-4a36-b7f0-2d6c8e1a5f94",
  name: "Travel board",
  description: "Shared with you by its owner",
  owners: [270_031_566],
  creator: 270_031_566,
  created: "2025-02-11T10:00:00Z",
  updated: "2025-08-21T09:12:45Z",
  readers: [userId],
  versions: [{ version: "1.0.0", created: "2025-02-11T10:00:00Z", released: "2025-02-12T10:00:00Z" }],
  cards: [],
};

/** A deleted design: it is listed only among the deleted ones. */
const removed: DesignState = {
  id: "c7a2f918-5e04-4d6b-93a8-10f7d4b2e6c3",
  name: "Budget form (old)",
  description: "Replaced by the forecast form",
  owners: [userId],
  creator: userId,
  created: "2024-03-04T10:00:00Z",
  updated: "2025-01-15T09:12:45Z",
  deleted: "2025-06-30T14:00:00Z",
  versions: [{ version: "1.0.0", created: "2024-03-04T10:00:00Z", released: "2024-03-05T10:00:00Z" }],
  cards: [],
};

/** The 40 designs of a new tenant that its user administers, a deleted one, a readable one, and one of another user. */
export function sampleDesigns(seed = "designs"): readonly DesignState[] {
  const random = new Random(seed);
  const names = kinds.flatMap((kind) => subjects.map((subject) => ({ name: `${subject} ${kind}`, kind })));
  const designs = names.map(({ name, kind }, index): DesignState => {
    const created = random.time("2024-02-01T08:00:00Z", "2025-06-30T18:00:00Z");
    const updated = random.time("2025-07-01T08:00:00Z", "2025-11-18T16:00:00Z");
    const creator = random.chance(0.4) ? userId : random.pick(people).id;
    const others = people.filter(() => random.chance(0.25)).map(({ id }) => id);
    return {
      id: random.uuid(),
      name,
      description: purposes[kind] ?? "",
      owners: [...new Set([userId, creator, ...others])],
      creator,
      created,
      updated,
      versions: versionsUntil(random, created, updated),
      cards: Array.from({ length: random.integer(0, 3) }, (_, card) => ({
        id: 90_000 + index * 10 + card,
        title: card === 0 ? name : `${name} (${card + 1})`,
      })),
    };
  });
  return [...designs, removed, readable, foreign];
}

function versionsUntil(random: Random, created: string, updated: string): readonly DesignVersionState[] {
  const count = random.integer(1, 5);
  const times = Array.from({ length: count - 1 }, () => random.time(created, updated)).sort();
  return [created, ...times]
    .map((at, index) => ({
      version: `1.${index}.0`,
      created: at,
      released: index === count - 1 && count > 1 ? null : at,
    }))
    .toReversed();
}
