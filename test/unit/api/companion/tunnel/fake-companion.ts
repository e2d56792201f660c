import type { PushedFrame, SentFrame } from "../../../../../src/api/companion/operations/tunnel.ts";
import type { Batch } from "../../../../../src/api/companion/tunnel/outbox.ts";
import { Tunnel, type TunnelCompanion } from "../../../../../src/api/companion/tunnel/tunnel.ts";

interface Listener {
  onPush(value: unknown, buffers: readonly Uint8Array[]): void;
  onFailure(error: Error): void;
}

/** Takes the place of a companion: records what a tunnel sends, and replies and pushes when a test says so. */
export class FakeCompanion {
  readonly batches: Batch[] = [];
  readonly #replies: (() => void)[] = [];
  #listener:
    | { onPush(value: unknown, buffers: readonly Uint8Array[]): void; onFailure(error: Error): void }
    | undefined;
  isReplying = true;
  isCanceled = false;

  async tunnel(): Promise<Tunnel> {
    return Tunnel.open(this as unknown as TunnelCompanion);
  }

  get frames(): readonly SentFrame[] {
    return this.batches.flatMap(({ frames }) => frames);
  }

  get sentBytes(): number {
    return this.batches.reduce((sum, { buffers }) => sum + Buffer.concat(buffers).length, 0);
  }

  push(frames: readonly PushedFrame[], ...buffers: readonly Uint8Array[]): void {
    try {
      this.#listener?.onPush({ frames }, buffers);
    } catch (error) {
      this.#listener?.onFailure(error as Error);
    }
  }

  lose(): void {
    this.#listener?.onFailure(new Error("The connection to the companion was lost."));
  }

  reply(): void {
    for (const reply of this.#replies.splice(0)) reply();
  }

  awaitPushes(): void {}

  async subscribe(_operation: unknown, _parameters: unknown, listener: Listener) {
    this.#listener = listener;
    return { result: { tunnel: "t" }, dispose: () => this.#cancel() };
  }

  #cancel(): void {
    this.isCanceled = true;
  }

  async request(_operation: unknown, batch: Omit<Batch, "buffers">, { buffers }: { readonly buffers: Uint8Array[] }) {
    this.batches.push({ ...batch, buffers });
    if (!this.isReplying) await new Promise<void>((resolve) => void this.#replies.push(resolve));
    return {};
  }
}
