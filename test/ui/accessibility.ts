import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";
import * as z from "zod/mini";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const violationsShape = z.array(z.looseObject({ id: z.string(), nodes: z.array(z.looseObject({ html: z.string() })) }));

/** What axe finds wrong in a frame. */
export function violations(frame: Frame): Promise<readonly string[]> {
  return run(frame, "document");
}

/** What axe finds wrong in the Markdown of a preview. */
export function markdownViolations(frame: Frame): Promise<readonly string[]> {
  return violationsOnEditor(frame, ".markdown-body");
}

/** What axe finds wrong in the widgets that a notebook shows. */
export function widgetViolations(frame: Frame): Promise<readonly string[]> {
  return violationsOnEditor(frame, ".jupyter-widgets");
}

/**
 * What axe finds wrong in a part of a frame through which the editor's background shines. Axe takes that for white, so the
 * frame gets the same color meanwhile.
 */
async function violationsOnEditor(frame: Frame, part: string): Promise<readonly string[]> {
  await frame.evaluate("document.documentElement.style.backgroundColor = 'var(--vscode-editor-background)'");
  try {
    return await run(frame, `'${part}'`);
  } finally {
    await frame.evaluate("document.documentElement.style.backgroundColor = ''");
  }
}

async function run(frame: Frame, parameters: string): Promise<readonly string[]> {
  await frame.evaluate(await readFile(axe, "utf8"));
  const found: unknown = await frame.evaluate(`axe.run(${parameters}).then(({ violations }) => violations)`);
  return z.parse(violationsShape, found).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
