import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";
import * as z from "zod/mini";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const violationsShape = z.array(z.looseObject({ id: z.string(), nodes: z.array(z.looseObject({ html: z.string() })) }));

/** The accessibility violations that axe finds in a frame. */
export function violations(frame: Frame): Promise<readonly string[]> {
  return run(frame, "document");
}

/**
 * The accessibility violations that axe finds in the viewer of a PDF file, except in the file's text, which is
 * transparent, above the drawn one.
 */
export function pdfViolations(frame: Frame): Promise<readonly string[]> {
  return run(frame, "{ exclude: ['.textLayer'] }");
}

/** The accessibility violations that axe finds in the Markdown of a preview. */
export function markdownViolations(frame: Frame): Promise<readonly string[]> {
  return violationsOnEditor(frame, ".markdown-body");
}

/** The accessibility violations that axe finds in the widgets of a notebook. */
export function widgetViolations(frame: Frame): Promise<readonly string[]> {
  return violationsOnEditor(frame, ".jupyter-widgets");
}

/**
 * The accessibility violations that axe finds in a part of a frame whose background is transparent. Axe assumes white
 * there, so the frame temporarily gets the editor's background color.
 */
async function violationsOnEditor(frame: Frame, part: string): Promise<readonly string[]> {
  await frame.evaluate("document.documentElement.style.backgroundColor = 'var(--vscode-editor-background)'");
  try {
    return await run(frame, `'${part}'`);
  } finally {
    await frame.evaluate("document.documentElement.style.backgroundColor = ''");
  }
}

/**
 * The contrast of each canvas's main color with the page's background, as WCAG defines it: 3 at least makes a part of a
 * chart visible. Axe doesn't look into a canvas.
 */
export async function canvasContrasts(frame: Frame, selector: string): Promise<readonly number[]> {
  return z.parse(z.array(z.number()), await frame.evaluate(`(${contrasts})(${JSON.stringify(selector)})`));
}

const contrasts = `(selector) => {
  const pixels = (canvas) => [...new Uint32Array(canvas.getContext("2d").getImageData(0, 0, 16, 16).data.buffer)];
  const page = Object.assign(document.createElement("canvas"), { width: 16, height: 16 });
  const context = page.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).getPropertyValue("--vscode-editor-background");
  context.fillRect(0, 0, 16, 16);
  const [background] = pixels(page);
  const luminance = (pixel) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const part = ((pixel >>> (8 * index)) & 255) / 255;
      return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0.05);
  return [...document.querySelectorAll(selector)].map((canvas) => {
    const own = pixels(canvas).filter((pixel) => pixel !== background);
    const main = own.toSorted((one, other) => own.filter((p) => p === other).length - own.filter((p) => p === one).length)[0];
    const [dark, light] = [luminance(main ?? background), luminance(background)].toSorted((one, other) => one - other);
    return light / dark;
  });
}`;

async function run(frame: Frame, parameters: string): Promise<readonly string[]> {
  await frame.evaluate(await readFile(axe, "utf8"));
  const found: unknown = await frame.evaluate(`axe.run(${parameters}).then(({ violations }) => violations)`);
  return z.parse(violationsShape, found).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
