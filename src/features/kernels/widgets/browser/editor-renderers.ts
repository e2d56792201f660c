/** An output item as the editor hands it to a renderer. */
export interface OutputItem {
  readonly id: string;
  readonly mime: string;
  readonly metadata: unknown;
  text(): string;
  json(): unknown;
  data(): Uint8Array;
  blob(): Blob;
}

export interface Renderer {
  renderOutputItem(item: OutputItem, element: HTMLElement, signal?: AbortSignal): void | Promise<void>;
  disposeOutputItem?(id?: string): void;
}

/** What the editor gives to a renderer when it loads it. */
export interface RendererContext {
  getRenderer(id: string): Promise<Renderer | undefined>;
  postMessage?(message: unknown): void;
  onDidReceiveMessage?(listener: (message: unknown) => void): { dispose(): void };
}

/** The renderer of the editor that shows HTML and images as in any other output. */
export const builtInRenderer = "vscode.builtin-renderer";
