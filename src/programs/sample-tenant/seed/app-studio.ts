import { people, userId } from "./organization.ts";
import { Random } from "./random.ts";

/** A user or group that can see an app. */
export interface AppShareState {
  readonly type: "user" | "group";
  readonly id: string;
}

/** An App Studio app. Times are epoch milliseconds. */
export interface AppState {
  readonly id: number;
  readonly title: string;
  readonly ownerId: number;
  readonly locked: boolean;
  readonly updated: number;
  /** Titles of the views, each with the titles of its cards. */
  readonly views: readonly { readonly id: number; readonly title: string; readonly cards: readonly string[] }[];
  readonly shares: readonly AppShareState[];
}

const titles = ["Sales cockpit", "Store planner", "Hiring board", "Energy report", "Claims desk", "Field visits"];
const viewTitles = ["Overview", "Details", "Settings"];
const cardTitles: readonly [string, ...string[]] = ["Revenue", "Open items", "Trend", "Top ten", "Map", "Notes"];
const firstId = 1201;
const changed = Date.UTC(2025, 10, 18, 16, 42, 5);
const dayMs = 86_400_000;

/** The initial apps. */
export function sampleApps(): readonly AppState[] {
  return titles.map((title, index) => {
    const random = new Random(`app ${title}`);
    const id = firstId + index;
    return {
      id,
      title,
      ownerId: (people[index % 4] ?? people[0]).id,
      locked: index === 4,
      updated: changed - index * dayMs,
      views: viewTitles.slice(0, 1 + (index % viewTitles.length)).map((view, number) => ({
        id: id * 10 + number,
        title: view,
        cards: [random.pick(cardTitles), `${title} ${number + 1}`],
      })),
      shares: index % 2 === 0 ? [{ type: "user", id: String(userId) }] : [{ type: "group", id: "31" }],
    };
  });
}
