/** The sales of a region in a month, which is given by its first day, such as `2026-11-01`. */
interface Sale {
  readonly month: string;
  readonly region: string;
  readonly units: number;
  readonly revenue: number;
}

/** The sales that the sample workspace has at a time, and their forecast. */
export interface Sales {
  /** The complete months before the current one, oldest first. */
  readonly months: readonly string[];
  readonly all: readonly Sale[];
  /** The revenue of each month. */
  readonly monthly: readonly number[];
  /** Of the last twelve months compared with the twelve months before, as a share. */
  readonly growth: number;
  /** The current month and the five after it. */
  readonly nextMonths: readonly string[];
  /** The revenue of each of the next months. */
  readonly forecast: readonly number[];
}

const regions = [
  { name: "North", base: 1240, price: 41.5 },
  { name: "South", base: 980, price: 39 },
  { name: "West", base: 1530, price: 44.25 },
];
export const regionNames = regions.map(({ name }) => name);
const pastMonths = 34;

/** The sales up to the last complete month before `now`. */
export function salesBefore(now: Date): Sales {
  const monthAfter = (count: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count)).toISOString().slice(0, 10);
  const months = Array.from({ length: pastMonths }, (_, index) => monthAfter(index - pastMonths));
  const all = months.flatMap((month, index) =>
    regions.map(({ name, base, price }, place): Sale => {
      const season = 1 + 0.22 * Math.sin(((Number(month.slice(5, 7)) - 4) / 12) * 2 * Math.PI);
      const units = Math.round(base * (1 + 0.011 * index) * season * (0.95 + 0.1 * noise(index * 3 + place)));
      return { month, region: name, units, revenue: Math.round(units * price) };
    }),
  );
  const monthly = months.map((month) => sum(all.filter((sale) => sale.month === month).map(({ revenue }) => revenue)));
  const growth = growthOf(monthly);
  const nextMonths = Array.from({ length: 6 }, (_, index) => monthAfter(index));
  const forecast = nextMonths.map((_, index) => Math.round((monthly.at(index - 12) ?? 0) * (1 + growth)));
  return { months, all, monthly, growth, nextMonths, forecast };
}

/** The growth of the last twelve values compared with the twelve before, as a share. */
export function growthOf(monthly: readonly number[]): number {
  return sum(monthly.slice(-12)) / sum(monthly.slice(-24, -12)) - 1;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A pseudorandom number between 0 and 1, always the same for the same argument. */
function noise(number: number): number {
  return Math.abs((Math.sin(number * 127.1 + 11.7) * 43_758.5453) % 1);
}
