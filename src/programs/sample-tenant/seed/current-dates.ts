/** The time at which the sample data was written, in milliseconds. All of its times are shifted to the real time. */
const written = Date.UTC(2025, 10, 18, 16, 42, 5);

/** Milliseconds since the last event in the sample data. */
const sinceLastMs = 90 * 60_000;

/** Smaller numbers are not times. */
const earliest = Date.UTC(2020, 0, 1);

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** Shifts all times in JSON data, so that they are as old now as they were when the data was written. */
export function withCurrentDates<T>(data: T, now: Date): T {
  const by = now.getTime() - sinceLastMs - written;
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) => {
    if (typeof value === "number") return isWritten(value) ? value + by : value;
    if (typeof value !== "string" || !timestamp.test(value) || !isWritten(Date.parse(value))) return value;
    const moved = new Date(Date.parse(value) + by).toISOString();
    return value.includes(".") ? moved : moved.replace(/\.\d{3}Z$/, "Z");
  });
}

/** The start of an instance that runs when the sample tenant starts, in ISO 8601. */
export function recentStart(now: Date): string {
  return new Date(now.getTime() - sinceLastMs).toISOString();
}

function isWritten(time: number): boolean {
  return time >= earliest && time <= written;
}
