import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { element, filled } from "../../../ui/webview/browser/page.ts";
import type { PdfMessage, PdfStart, PdfState, ReadMessage } from "../messages.ts";
import { PdfPageView, pixelsPerPoint } from "./pdf-page-view.ts";

interface EditorApi {
  postMessage(message: ReadMessage): void;
  getState(): unknown;
  setState(state: PdfState): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** A document with more pages would take the window's memory, even with empty sheets. */
const maxPages = 5_000;
const zoomSteps = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4] as const;
/** Pixels beside a sheet that fits the width. */
const margin = 48;

const api = acquireVsCodeApi();
const { texts, worker, decoders } = JSON.parse(document.body.dataset.start ?? "{}") as PdfStart;
const kept = (api.getState() ?? {}) as Partial<PdfState>;
let zoom = kept.zoom;
/** The part that is shown once the pages are there. */
let scrolled = kept.scrolled ?? 0;
let shown:
  | { readonly document: PDFDocumentProxy; readonly views: readonly PdfPageView[]; readonly width: number }
  | undefined;

const position = element("span", { class: "position" });
const percentage = element("span", { class: "percentage", "aria-live": "polite" });
const message = element("div", { class: "message", role: "status" }, texts.loading);
const sheets = element("main", { class: "sheets", tabindex: "0", "aria-label": texts.title });

const button = (label: string, sign: string, action: () => void): HTMLButtonElement => {
  const made = element("button", { type: "button", title: label, "aria-label": label }, sign);
  made.addEventListener("click", action);
  return made;
};
document.body.replaceChildren(
  element(
    "header",
    {},
    element("h1", { class: "spoken" }, texts.title),
    element(
      "div",
      { role: "toolbar", class: "tools", "aria-label": texts.title },
      position,
      button(texts.zoomOut, "−", () => step(-1)),
      percentage,
      button(texts.zoomIn, "+", () => step(1)),
      button(texts.fitWidth, texts.fitWidth, () => setZoom(undefined)),
    ),
    message,
  ),
  sheets,
);

const nearby = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      shown?.views.find(({ sheet }) => sheet === target)?.setNear(isIntersecting);
    }
  },
  { root: sheets, rootMargin: "100% 0%" },
);

/** The factor that fits the first page into the width, or the user's. */
function currentZoom(): number {
  return zoom ?? Math.min(2, Math.max(0.1, (sheets.clientWidth - margin) / ((shown?.width ?? 612) * pixelsPerPoint)));
}

function setZoom(next: number | undefined): void {
  const share = shareAbove();
  zoom = next;
  applyZoom();
  sheets.scrollTop = share * sheets.scrollHeight;
  save();
}

function step(direction: 1 | -1): void {
  const now = currentZoom();
  const next =
    direction > 0 ? zoomSteps.find((one) => one > now + 0.01) : zoomSteps.findLast((one) => one < now - 0.01);
  setZoom(next ?? now);
}

function applyZoom(): void {
  const now = currentZoom();
  percentage.textContent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(now);
  for (const view of shown?.views ?? []) {
    view.resize(now);
  }
}

function shareAbove(): number {
  return sheets.scrollHeight === 0 ? 0 : sheets.scrollTop / sheets.scrollHeight;
}

function save(): void {
  api.setState({ zoom, scrolled });
}

function showPosition(): void {
  const middle = sheets.getBoundingClientRect().top + sheets.clientHeight / 2;
  const views = shown?.views ?? [];
  const after = views.findIndex(({ sheet }) => sheet.getBoundingClientRect().top > middle);
  const current = after === -1 ? views.length : Math.max(1, after);
  position.textContent = filled(texts.position, String(current)).replace("{1}", () => String(views.length));
}

sheets.addEventListener("scroll", () => {
  scrolled = shareAbove();
  showPosition();
  save();
});
new ResizeObserver(() => {
  if (zoom === undefined && shown !== undefined) {
    applyZoom();
  }
}).observe(sheets);
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (event.key === "+" || event.key === "=") {
    step(1);
  } else if (event.key === "-") {
    step(-1);
  }
});

/** pdf.js parses files in a worker. Workers in a webview must come from the page, so the page loads the script. */
async function startWorker(): Promise<void> {
  const script = await (await fetch(worker)).blob();
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  GlobalWorkerOptions.workerPort = new Worker(address);
}

/** Counts the contents that arrived, so that an older one doesn't replace a newer one. */
let arrived = 0;

async function show(bytes: Uint8Array): Promise<void> {
  arrived += 1;
  const current = arrived;
  const loading = getDocument({
    data: bytes,
    wasmUrl: decoders,
    useWorkerFetch: false,
    // Nothing in a file runs, and no file of the window's server is read for it.
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 100_000_000,
  });
  const loaded = await loading.promise;
  const first = await loaded.getPage(1);
  if (current !== arrived) {
    await loaded.loadingTask.destroy();
    return;
  }
  const before = shown;
  const size = first.getViewport({ scale: 1 });
  const count = Math.min(loaded.numPages, maxPages);
  const views = Array.from(
    { length: count },
    (_, index) => new PdfPageView(loaded, index + 1, size, filled(texts.page, String(index + 1))),
  );
  nearby.disconnect();
  shown = { document: loaded, views, width: size.width };
  const target = scrolled;
  sheets.replaceChildren(...views.map(({ sheet }) => sheet));
  applyZoom();
  sheets.scrollTop = target * sheets.scrollHeight;
  message.textContent = count < loaded.numPages ? filled(texts.tooManyPages, String(count)) : "";
  for (const { sheet } of views) {
    nearby.observe(sheet);
  }
  showPosition();
  await before?.document.loadingTask.destroy();
}

function showFailure(text: string): void {
  message.replaceChildren(element("p", { role: "alert" }, text), button(texts.retry, texts.retry, read));
}

function failureText(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  return name === "PasswordException"
    ? texts.locked
    : name === "InvalidPDFException"
      ? texts.invalid
      : error instanceof Error
        ? error.message
        : String(error);
}

function read(): void {
  message.textContent = texts.loading;
  api.postMessage({ type: "read" });
}

const started = startWorker();
window.addEventListener("message", ({ data }: MessageEvent<PdfMessage>) => {
  if (data.type === "failed") {
    showFailure(data.text);
    return;
  }
  started.then(() => show(data.bytes)).catch((error: unknown) => showFailure(failureText(error)));
});
read();
