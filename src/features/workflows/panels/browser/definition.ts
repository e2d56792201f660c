import { drawn, element, filled, Page, table } from "../../../../ui/webview/browser/page.ts";
import type { DefinitionAction, DefinitionContent, DrawnStep } from "../messages.ts";
import type { DefinitionTexts } from "../texts.ts";

const page = new Page<DefinitionContent, DefinitionTexts, undefined, DefinitionAction>();
const { texts } = page;
const zoomSteps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
/** Same as in the style sheet. */
const shareOfHeight = 0.7;
const leastFit = 0.6;
const marks = { start: "▶", end: "■", step: "" } as const;

const remark = element("p", { class: "remark" });
const canvas = element("div", { class: "diagram" });
const selection = element("section", { class: "selection", "aria-label": texts.selected });
const tables = element("div", {});
let zoom: number | undefined;
let selectedId: string | undefined;
let shown: DefinitionContent | undefined;

page.tools.append(
  page.button(texts.zoomIn, () => zoomBy(1)),
  page.button(texts.zoomOut, () => zoomBy(-1)),
  page.button(texts.fit, () => setZoom(undefined)),
  page.button(texts.json, () => page.ask("showJson")),
  page.button(texts.details, () => page.ask("showDetails")),
  page.button(texts.refresh, () => page.read()),
);
page.main.append(remark, canvas, element("p", { class: "hint", id: "keys" }, texts.keys), selection, tables);
window.addEventListener("resize", () => scale());
page.begin({ show });

function show(content: DefinitionContent): void {
  shown = content;
  const { steps, connections, width, height, hasOwnConnections } = content;
  remark.textContent = steps.length === 0 ? texts.noSteps : hasOwnConnections ? "" : texts.inOrder;
  const focused = document.activeElement?.getAttribute("data-step") ?? undefined;
  const current = steps.some(({ id }) => id === selectedId) ? selectedId : steps[0]?.id;
  const picture = drawn(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": filled(texts.diagram, String(steps.length)),
      "aria-describedby": "keys",
    },
    arrowHead(),
    ...connections.map(({ path, label, labelAt }) =>
      drawn(
        "g",
        { class: hasOwnConnections ? "connection" : "connection guessed", "aria-hidden": "true" },
        drawn("path", { d: path, "marker-end": "url(#arrow)" }),
        ...(label === "" ? [] : [drawn("text", { x: labelAt.x, y: labelAt.y - 4 }, label)]),
      ),
    ),
    ...steps.map((step) => stepShape(step, content, step.id === current)),
  );
  canvas.replaceChildren(...(steps.length === 0 ? [] : [picture]));
  scale();
  select(selectedId);
  if (focused !== undefined) {
    stepElement(focused)?.focus();
  }
  tables.replaceChildren(
    table(
      texts.steps,
      [texts.step, texts.kind, texts.calls, texts.leadsTo],
      steps.map((step) => [step.title, step.kind, step.calls, nextTo(step, content)]),
    ),
    content.parameters.length === 0
      ? element("p", { class: "remark" }, texts.noParameters)
      : table(
          texts.parameters,
          [texts.parameter, texts.dataType],
          content.parameters.map(({ name, type, isList }) => [name, isList ? filled(texts.listOf, type) : type]),
        ),
  );
}

function arrowHead(): SVGElement {
  return drawn(
    "defs",
    {},
    drawn(
      "marker",
      {
        id: "arrow",
        viewBox: "0 0 10 10",
        refX: 2,
        refY: 5,
        markerWidth: 8,
        markerHeight: 8,
        orient: "auto-start-reverse",
      },
      drawn("path", { d: "M 0 0 L 10 5 L 0 10 z", class: "arrow" }),
    ),
  );
}

function stepShape(step: DrawnStep, content: DefinitionContent, isCurrent: boolean): SVGElement {
  const { id, title, kind, role, x, y, width, height, calls } = step;
  const detail = calls === "" ? kind : `${kind} · ${calls}`;
  const text = element(
    "div",
    { class: "words" },
    element("strong", {}, `${marks[role]} ${title}`.trim()),
    " ",
    element("span", {}, detail),
  );
  const shape = drawn(
    "g",
    {
      class: `step ${role}`,
      role: "button",
      tabindex: isCurrent ? 0 : -1,
      "data-step": id,
      "aria-pressed": String(id === selectedId),
      // Starts with the visible text, for voice control.
      "aria-label": `${title} ${detail}, ${texts.leadsTo}: ${nextTo(step, content) || "–"}`,
    },
    drawn("rect", { x, y, width, height, rx: role === "step" ? 4 : height / 2 }),
    drawn("foreignObject", { x, y, width, height, "aria-hidden": "true" }, text),
  );
  shape.addEventListener("click", () => {
    select(id);
    shape.focus();
  });
  shape.addEventListener("focus", () => makeCurrent(id));
  shape.addEventListener("keydown", (event) => onKey(event, step));
  return shape;
}

function onKey(event: KeyboardEvent, step: DrawnStep): void {
  const steps = shown?.steps ?? [];
  const directions: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
  };
  const direction = directions[event.key];
  const ends: Readonly<Record<string, DrawnStep | undefined>> = { Home: steps[0], End: steps.at(-1) };
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (direction !== undefined) {
    focusStep(nearest(step, steps, direction));
  } else if (event.key in ends) {
    focusStep(ends[event.key]);
  } else if (event.key === "Enter" || event.key === " ") {
    select(step.id);
  } else if (event.key === "+" || event.key === "-") {
    zoomBy(event.key === "+" ? 1 : -1);
  } else if (event.key === "0") {
    setZoom(undefined);
  } else {
    return;
  }
  event.preventDefault();
}

/** The closest step in that direction. A perpendicular distance counts twice. */
function nearest(
  from: DrawnStep,
  steps: readonly DrawnStep[],
  [right, down]: readonly [number, number],
): DrawnStep | undefined {
  const centre = ({ x, y, width, height }: DrawnStep): readonly [number, number] => [x + width / 2, y + height / 2];
  const [fromX, fromY] = centre(from);
  const distances = steps.flatMap((step) => {
    const [x, y] = centre(step);
    const along = (x - fromX) * right + (y - fromY) * down;
    const aside = Math.abs((x - fromX) * down) + Math.abs((y - fromY) * right);
    return along > 1 ? [{ step, distance: along + 2 * aside }] : [];
  });
  return distances.toSorted((left, other) => left.distance - other.distance)[0]?.step;
}

function stepElement(id: string): SVGGElement | null {
  return canvas.querySelector<SVGGElement>(`[data-step="${CSS.escape(id)}"]`);
}

function focusStep(step: DrawnStep | undefined): void {
  if (step !== undefined) {
    stepElement(step.id)?.focus();
  }
}

/** Only the last focused step is reachable with Tab. */
function makeCurrent(id: string): void {
  for (const other of canvas.querySelectorAll("[data-step]")) {
    other.setAttribute("tabindex", other.getAttribute("data-step") === id ? "0" : "-1");
  }
}

function select(id: string | undefined): void {
  selectedId = id;
  const step = shown?.steps.find((one) => one.id === id);
  for (const other of canvas.querySelectorAll("[data-step]")) {
    other.setAttribute("aria-pressed", String(other.getAttribute("data-step") === id));
  }
  if (step === undefined || shown === undefined) {
    selection.replaceChildren(element("p", { class: "remark" }, texts.noneSelected));
    return;
  }
  const facts: readonly (readonly [string, string])[] = [
    [texts.kind, step.kind],
    [texts.calls, step.calls],
    [texts.description, step.description],
    [texts.comesFrom, beforeOf(step, shown)],
    [texts.leadsTo, nextTo(step, shown)],
  ];
  const list = facts.flatMap(([name, value]) =>
    value === "" ? [] : [element("dt", {}, name), element("dd", {}, value)],
  );
  selection.replaceChildren(element("h2", {}, step.title), element("dl", {}, ...list));
  page.say([step.title, ...facts.filter(([, value]) => value !== "").map((fact) => fact.join(": "))].join(", "));
}

function nextTo({ id }: DrawnStep, { steps, connections }: DefinitionContent): string {
  return connections
    .filter(({ from }) => from === id)
    .map(({ to, label }) => named(steps, to, label))
    .join(", ");
}

function beforeOf({ id }: DrawnStep, { steps, connections }: DefinitionContent): string {
  return connections
    .filter(({ to }) => to === id)
    .map(({ from, label }) => named(steps, from, label))
    .join(", ");
}

function named(steps: readonly DrawnStep[], id: string, label: string): string {
  const title = steps.find((step) => step.id === id)?.title ?? id;
  return label === "" ? title : `${title} (${label})`;
}

function zoomBy(change: 1 | -1): void {
  const now = zoom ?? fitting();
  const next =
    change === 1 ? zoomSteps.find((step) => step > now + 0.01) : zoomSteps.findLast((step) => step < now - 0.01);
  setZoom(next ?? now);
}

/** Undefined fits the diagram into the available space, unless it would become unreadable. */
function setZoom(value: number | undefined): void {
  zoom = value;
  scale();
}

function fitting(): number {
  const { width = 1, height = 1 } = shown ?? {};
  const byHeight = (shareOfHeight * window.innerHeight) / Math.max(1, height);
  return Math.min(1, canvas.clientWidth / Math.max(1, width), Math.max(leastFit, byHeight));
}

function scale(): void {
  const picture = canvas.querySelector("svg");
  if (picture !== null && shown !== undefined) {
    const factor = zoom ?? fitting();
    picture.setAttribute("width", String(Math.round(shown.width * factor)));
    picture.setAttribute("height", String(Math.round(shown.height * factor)));
  }
}
