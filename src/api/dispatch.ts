/** One HTTP exchange as the transport hands it to the HTTP library. No redirect is followed, no status is an error. */
export interface DispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer's headers, and between two parts of its body. */
  readonly idleLimit: number;
  /** Bytes of the answer's body that have arrived so far. */
  readonly onReceived: (bytes: number) => void;
}

export interface DispatchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Dispatcher {
  dispatch(request: DispatchRequest): Promise<DispatchAnswer>;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  /** Connections to one origin at a time. */
  readonly connections: number;
  /** Address of an HTTP proxy; the environment's (`HTTPS_PROXY`, `NO_PROXY`) counts where it is absent. */
  readonly proxy?: string;
  /** False accepts any server certificate: only where the person switched the editor's check off. */
  readonly strictCertificates?: boolean;
}
