// What a cell's code does. The code is the text of the program.

export type Step =
  /** Text on a stream. */
  | { readonly type: "out" | "err" | "result" | "clear" | "clearlater" | "raise" | "input" | "die" | "comm" }
  /** A display with this id, or an update of it. */
  | { readonly type: "display" | "update"; readonly id: number }
  | { readonly type: "pause"; readonly milliseconds: number }
  /** This many texts at once. */
  | { readonly type: "flood"; readonly count: number }
  /** A thread that continues when the cell has ended. */
  | { readonly type: "thread"; readonly steps: readonly Step[] };

const simple = ["out", "err", "result", "clear", "clearlater", "raise", "input", "die", "comm"] as const;
const known = new Map<string, readonly Step[]>();
const maxKnown = 5000;

/** The steps of a program's text: `out; pause 50; thread (out; pause 20; out); raise`. Throws an error if it has none. */
export function parseProgram(text: string): readonly Step[] {
  const found = known.get(text);
  if (found !== undefined) return found;
  const words = text.match(/[a-z]+|\d+|[();]/g) ?? [];
  let place = 0;
  const number = (): number => Number(words[place++]);
  const step = (word: string | undefined): Step => {
    const plain = simple.find((type) => type === word);
    if (plain !== undefined) return { type: plain };
    switch (word) {
      case "display":
      case "update":
        return { type: word, id: number() };
      case "pause":
        return { type: "pause", milliseconds: number() };
      case "flood":
        return { type: "flood", count: number() };
      case "thread": {
        place += 1;
        const inner = steps(")");
        place += 1;
        return { type: "thread", steps: inner };
      }
      default:
        throw new Error(`There is no step ${word} in: ${text}`);
    }
  };
  const steps = (end: string | undefined): Step[] => {
    const list: Step[] = [];
    while (words[place] !== end) {
      const word = words[place++];
      if (word !== ";") list.push(step(word));
    }
    return list;
  };
  const parsed = steps(undefined);
  if (known.size > maxKnown) known.clear();
  known.set(text, parsed);
  return parsed;
}

export function programText(steps: readonly Step[]): string {
  return steps.map(stepText).join("; ");
}

function stepText(step: Step): string {
  switch (step.type) {
    case "display":
    case "update":
      return `${step.type} ${step.id}`;
    case "pause":
      return `pause ${step.milliseconds}`;
    case "flood":
      return `flood ${step.count}`;
    case "thread":
      return `thread (${programText(step.steps)})`;
    default:
      return step.type;
  }
}
