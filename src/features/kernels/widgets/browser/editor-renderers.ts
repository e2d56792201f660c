/** An output item, as the editor passes it to a renderer. */
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

/** The context that the editor passes to a renderer when it loads it. */
export interface RendererContext {
  getRenderer(id: string): Promise<Renderer | undefined>;
  postMessage?(message: unknown): void;
  onDidReceiveMessage?(listener: (message: unknown) => void): { dispose(): void };
}

/** The editor's renderer for HTML and images. */
export const builtInRenderer = "vscode.builtin-renderer";
