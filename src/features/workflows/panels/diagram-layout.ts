import { graphlib, layout } from "@dagrejs/dagre";
import type { WorkflowConnection, WorkflowDesign, WorkflowStep } from "../../../api/families/workflow-definition.ts";
import { callText } from "../../../api/families/workflow-facts.ts";
import type { DefinitionContent, DrawnConnection, DrawnStep } from "./messages.ts";

const margin = 24;
const arrow = 6;

interface Point {
  readonly x: number;
  readonly y: number;
}

type Placed = WorkflowStep & { readonly x: number; readonly y: number };

/**
 * The steps at the platform's positions, or laid out from top to bottom if there are none, and the lines between them.
 * `packages` are package names by id.
 */
export function drawDesign(design: WorkflowDesign, packages: ReadonlyMap<string, string>): DefinitionContent {
  const placed = ownPlaces(design.steps) ?? laidOut(design);
  const [left, top] = [
    Math.min(...placed.map(({ x }) => x), Infinity),
    Math.min(...placed.map(({ y }) => y), Infinity),
  ];
  const moved = placed.map((step) => ({ ...step, x: step.x - left + margin, y: step.y - top + margin }));
  const byId = new Map(moved.map((step) => [step.id, step]));
  return {
    width: Math.max(0, ...moved.map(({ x, width }) => x + width)) + margin,
    height: Math.max(0, ...moved.map(({ y, height }) => y + height)) + margin,
    steps: moved.map((step) => drawnStep(step, packages)),
    connections: design.connections.flatMap((connection) => {
      const [from, to] = [byId.get(connection.from), byId.get(connection.to)];
      return from === undefined || to === undefined ? [] : [line(connection, from, to)];
    }),
    hasOwnConnections: design.hasOwnConnections,
    parameters: design.parameters,
  };
}

function drawnStep(step: Placed, packages: ReadonlyMap<string, string>): DrawnStep {
  const { id, title, kind, role, description, x, y, width, height } = step;
  return { id, title, kind, role, description, calls: callText(step, packages), x, y, width, height };
}

/** Undefined unless every step has a position and no two steps overlap. */
function ownPlaces(steps: readonly WorkflowStep[]): readonly Placed[] | undefined {
  const placed = steps.flatMap((step) => (step.position === undefined ? [] : [{ ...step, ...step.position }]));
  const cover = (one: Placed, other: Placed): boolean =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height;
  const isClear = placed.every((one, index) => placed.slice(index + 1).every((other) => !cover(one, other)));
  return placed.length === steps.length && isClear ? placed : undefined;
}

function laidOut({ steps, connections }: WorkflowDesign): readonly Placed[] {
  const graph = new graphlib.Graph({ multigraph: true })
    .setGraph({ rankdir: "TB", nodesep: 48, ranksep: 64 })
    .setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of steps) {
    graph.setNode(id, { width, height });
  }
  for (const [index, { from, to }] of connections.entries()) {
    graph.setEdge(from, to, {}, String(index));
  }
  layout(graph);
  return steps.map((step) => {
    const { x = 0, y = 0 } = graph.node(step.id);
    return { ...step, x: x - step.width / 2, y: y - step.height / 2 };
  });
}

/** A curve between the edges of two steps with space for its arrow: downward, sideways, or around and back up. */
function line({ from, to, label }: WorkflowConnection, source: Placed, target: Placed): DrawnConnection {
  const centre = ({ x, width }: Placed): number => x + width / 2;
  const middle = ({ y, height }: Placed): number => y + height / 2;
  let points: readonly [Point, Point, Point, Point];
  if (target.y >= source.y + source.height) {
    const [start, end] = [
      { x: centre(source), y: source.y + source.height },
      { x: centre(target), y: target.y - arrow },
    ];
    const half = (start.y + end.y) / 2;
    points = [start, { x: start.x, y: half }, { x: end.x, y: half }, end];
  } else if (target.y + target.height > source.y && from !== to) {
    const isRight = target.x > source.x;
    const start = { x: isRight ? source.x + source.width : source.x, y: middle(source) };
    const end = { x: isRight ? target.x - arrow : target.x + target.width + arrow, y: middle(target) };
    const half = (start.x + end.x) / 2;
    points = [start, { x: half, y: start.y }, { x: half, y: end.y }, end];
  } else {
    const start = { x: source.x + source.width, y: middle(source) };
    const end = { x: target.x + target.width + arrow, y: middle(target) - (from === to ? target.height / 3 : 0) };
    const out = Math.max(start.x, end.x) + 60;
    points = [start, { x: out, y: start.y }, { x: out, y: end.y }, end];
  }
  const [start, first, second, end] = points.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  const at = (name: "x" | "y"): number =>
    Math.round((points[0][name] + 3 * points[1][name] + 3 * points[2][name] + points[3][name]) / 8);
  return { from, to, label, path: `M ${start} C ${first}, ${second}, ${end}`, labelAt: { x: at("x"), y: at("y") } };
}
