// Messages between the extension and the page that shows a file. All of them are plain data.

/** From the page: it has started, or the user wants to try again. */
export interface ReadMessage {
  readonly type: "read";
}

/** From the extension. */
export type PdfMessage =
  | { readonly type: "content"; readonly bytes: Uint8Array }
  | { readonly type: "failed"; readonly text: string };

/** Texts of the page; it replaces `{0}` and `{1}`. */
export interface PdfTexts {
  readonly title: string;
  readonly loading: string;
  readonly retry: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly fitWidth: string;
  /** `{0}` of `{1}` pages. */
  readonly position: string;
  /** The name of page `{0}` for screen readers. */
  readonly page: string;
  readonly invalid: string;
  readonly locked: string;
  readonly tooManyPages: string;
}

/** The initial data of the page. */
export interface PdfStart {
  readonly texts: PdfTexts;
  /** Address of the worker's script, which must come from the page itself: a worker can't load a webview's files. */
  readonly worker: string;
  /** Address of the folder with the decoders of images. */
  readonly decoders: string;
}

/** The state that the page keeps when it is hidden or reloaded. */
export interface PdfState {
  /** Undefined if the pages fit the width of the window. */
  readonly zoom: number | undefined;
  /** The share of the height above the visible part, from 0 to 1. */
  readonly scrolled: number;
}
