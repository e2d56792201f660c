import { type PDFDocumentProxy, type RenderTask, TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";
import { LatestRequest } from "../../../api/latest-request.ts";
import { element } from "../../../ui/webview/browser/page.ts";

/** Width and height in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a point at a zoom of 1. */
export const pixelsPerPoint = 96 / 72;
/** Maximum pixels of a drawing. Browsers refuse larger ones. */
const maxPixels = 16_000_000;

/** One page: an empty sheet until it is near the visible part, then its drawing with the text above it. */
export class PdfPageView {
  readonly sheet: HTMLElement;
  readonly #pages: PDFDocumentProxy;
  readonly #number: number;
  #size: PageSize;
  #zoom = 1;
  #isNear = false;
  #rendering: RenderTask | undefined;
  readonly #drawings = new LatestRequest();

  constructor(pages: PDFDocumentProxy, number: number, size: PageSize, label: string) {
    this.#pages = pages;
    this.#number = number;
    this.#size = size;
    this.sheet = element("section", { class: "sheet", "aria-label": label, "data-page": String(number) });
  }

  /** Shows the page in another size. */
  resize(zoom: number): void {
    this.#zoom = zoom;
    this.#layOut();
    this.#redraw();
  }

  /** Draws the page, or releases its drawing, which takes megabytes. */
  setNear(isNear: boolean): void {
    if (isNear !== this.#isNear) {
      this.#isNear = isNear;
      this.#redraw();
    }
  }

  #layOut(): void {
    const scale = this.#zoom * pixelsPerPoint;
    this.sheet.style.setProperty("--total-scale-factor", String(scale));
    this.sheet.style.width = `${Math.floor(this.#size.width * scale)}px`;
    this.sheet.style.height = `${Math.floor(this.#size.height * scale)}px`;
  }

  #redraw(): void {
    const signal = this.#drawings.begin();
    this.#rendering?.cancel();
    this.#rendering = undefined;
    if (this.#isNear) {
      // What goes wrong with one page is shown in its place.
      this.#draw(signal).catch((error: unknown) => {
        if (this.#isNear && !(error instanceof Error && error.name === "RenderingCancelledException")) {
          this.sheet.replaceChildren(element("p", { role: "alert" }, String(error)));
        }
      });
    } else {
      this.sheet.replaceChildren();
    }
  }

  async #draw(signal: AbortSignal): Promise<void> {
    const page = await this.#pages.getPage(this.#number);
    if (signal.aborted) {
      return;
    }
    const { width, height } = page.getViewport({ scale: 1 });
    this.#size = { width, height };
    this.#layOut();
    const scale = this.#zoom * pixelsPerPoint;
    const viewport = page.getViewport({ scale });
    const sharpness = Math.min(window.devicePixelRatio, Math.sqrt(maxPixels / (viewport.width * viewport.height)));
    const canvas = element("canvas", { role: "presentation" });
    canvas.width = Math.max(1, Math.floor(viewport.width * sharpness));
    canvas.height = Math.max(1, Math.floor(viewport.height * sharpness));
    const rendering = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] });
    this.#rendering = rendering;
    await rendering.promise;
    if (signal.aborted) {
      return;
    }
    const container = element("div", { class: "textLayer" });
    this.sheet.replaceChildren(canvas, container);
    await new TextLayer({ textContentSource: page.streamTextContent(), container, viewport }).render();
  }
}
