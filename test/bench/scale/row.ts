/** A cost that is measured at three sizes, each ten times the one before. */
export interface ScaleRow {
  /** For example "textMerge". */
  readonly name: string;
  /** What is done with what, such as "merge two texts, lines". */
  readonly what: string;
  readonly unit:
    | "ms of the processor"
    | "rounds of requests"
    | "changes for the editor"
    | "bytes"
    | "entries listed at once";
  readonly smallest: number;
  /** The cost of one run: a count, or what `processorTime` returns. */
  measure(size: number): Promise<number | CostOfTask>;
}

/** A count, or a processor time in milliseconds, and the task that it is the cost of. */
interface CostOfTask {
  readonly cost: number;
  readonly task: () => Promise<unknown>;
}

/** The costs of a row at its sizes. */
export interface ScaleFigures {
  readonly name: string;
  readonly what: string;
  readonly unit: ScaleRow["unit"];
  readonly sizes: readonly number[];
  readonly costs: readonly number[];
  /** The longest block of the event loop at the largest size, in ms of the processor; undefined if it isn't measured. */
  readonly longestBlock: number | undefined;
  /** 1 if the cost grows in proportion to the size, 2 if it grows with its square. */
  readonly exponent: number;
}

/** The largest exponent that is accepted. */
export const maxExponent = 1.15;
/** Runs per size. The least cost counts, because other work on the machine only adds to it. */
const runs = { small: 7, large: 3 };
/** The shortest processor time, in milliseconds, that can be compared. Shorter work is repeated. */
const leastTime = 40;

/** Milliseconds that this process's threads work on a task. */
export async function processorTime(task: () => Promise<unknown>): Promise<CostOfTask> {
  let times = 0;
  const before = process.cpuUsage();
  for (;;) {
    await task();
    times += 1;
    const { user, system } = process.cpuUsage(before);
    const spent = (user + system) / 1000;
    if (spent >= leastTime) {
      return { cost: spent / times, task };
    }
  }
}

/** The longest time for which a task keeps other work from running, in milliseconds that its thread works. */
async function longestBlockOf(task: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  let next: NodeJS.Immediate;
  const round = (): void => {
    measure();
    next = setImmediate(round);
  };
  next = setImmediate(round);
  await task();
  measure();
  clearImmediate(next);
  return longest;
}

export async function measureRow(row: ScaleRow): Promise<ScaleFigures> {
  const sizes = [row.smallest, row.smallest * 10, row.smallest * 100];
  const costs: number[] = [];
  const blocks: number[] = [];
  for (const [index, size] of sizes.entries()) {
    const measured: number[] = [];
    for (let run = 0; run < (index === 2 ? runs.large : runs.small); run += 1) {
      const cost = await row.measure(size);
      measured.push(typeof cost === "number" ? cost : cost.cost);
      if (typeof cost !== "number" && index === 2) {
        blocks.push(await longestBlockOf(cost.task));
      }
    }
    costs.push(Math.min(...measured));
  }
  const { name, what, unit } = row;
  const longestBlock = blocks.length === 0 ? undefined : Math.min(...blocks);
  return { name, what, unit, sizes, costs, longestBlock, exponent: exponentOf(sizes, costs) };
}

/** The slope of the costs on logarithmic scales, through all points. */
function exponentOf(sizes: readonly number[], costs: readonly number[]): number {
  const [x, y] = [sizes.map(Math.log), costs.map((cost) => Math.log(Math.max(cost, Number.MIN_VALUE)))];
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = x.map((value, index) => (value - meanX) * ((y[index] ?? 0) - meanY));
  return mean(covariance) / mean(x.map((value) => (value - meanX) ** 2));
}
