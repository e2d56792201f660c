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

/**
 * What axe finds wrong in the Markdown of a preview. Its colors are the editor's, and axe takes the background, which shines
 * through from behind the frame, for white.
 */
export function markdownViolations(frame: Frame): Promise<readonly string[]> {
  return run(frame, "'.markdown-body', { rules: { 'color-contrast': { enabled: false } } }");
}

async function run(frame: Frame, parameters: string): Promise<readonly string[]> {
  await frame.evaluate(await readFile(axe, "utf8"));
  const found: unknown = await frame.evaluate(`axe.run(${parameters}).then(({ violations }) => violations)`);
  return z.parse(violationsShape, found).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
