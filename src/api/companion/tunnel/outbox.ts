import type { SentFrame } from "../operations/tunnel.ts";

/** A batch of frames, with the data of those that have some. */
export interface Batch {
  /** From 1, without gaps. */
  readonly number: number;
  /** Number of pushes that were taken since the batch before. */
  readonly pushes: number;
  readonly frames: SentFrame[];
  readonly buffers: Uint8Array[];
}

/** Number of batches without a reply. Frames that come meanwhile are sent together. */
const maxUnderWay = 8;
const maxBatchBytes = 512 * 1024;
const maxBatchFrames = 200;
/** The companion pauses after 64 pushes that were not reported as taken. */
const reportedPushes = 16;

/** What is to be sent to the companion, in order. `send` resolves with the reply. */
export class Outbox {
  readonly #send: (batch: Batch) => Promise<unknown>;
  readonly #onFailure: (error: Error) => void;
  readonly #waiting: { readonly frame: SentFrame; readonly data: Uint8Array | undefined }[] = [];
  #pushes = 0;
  #number = 0;
  #underWay = 0;
  #isScheduled = false;
  #isClosed = false;

  constructor(send: (batch: Batch) => Promise<unknown>, onFailure: (error: Error) => void) {
    this.#send = send;
    this.#onFailure = onFailure;
  }

  add(frame: SentFrame, data?: Uint8Array): void {
    this.#waiting.push({ frame, data });
    this.#schedule();
  }

  /** Notes that a push was taken. */
  tookPush(): void {
    this.#pushes += 1;
    if (this.#pushes >= reportedPushes) {
      this.#schedule();
    }
  }

  /** Sends nothing anymore. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  /** What is added in one turn is sent together. */
  #schedule(): void {
    if (!this.#isScheduled && !this.#isClosed) {
      this.#isScheduled = true;
      queueMicrotask(() => {
        this.#isScheduled = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    while (!this.#isClosed && this.#underWay < maxUnderWay && this.#hasSome) {
      this.#underWay += 1;
      this.#send(this.#take()).then(
        () => {
          this.#underWay -= 1;
          this.#flush();
        },
        (error: unknown) => {
          if (!this.#isClosed) {
            this.#onFailure(error instanceof Error ? error : new Error(String(error)));
          }
        },
      );
    }
  }

  get #hasSome(): boolean {
    return this.#waiting.length > 0 || this.#pushes >= reportedPushes;
  }

  #take(): Batch {
    this.#number += 1;
    const batch: Batch = { number: this.#number, pushes: this.#pushes, frames: [], buffers: [] };
    this.#pushes = 0;
    let bytes = 0;
    let taken = 0;
    for (const { frame, data } of this.#waiting) {
      if (taken === maxBatchFrames || bytes >= maxBatchBytes) {
        break;
      }
      taken += 1;
      batch.frames.push(frame);
      if (data !== undefined) {
        batch.buffers.push(data);
        bytes += data.byteLength;
      }
    }
    this.#waiting.splice(0, taken);
    return batch;
  }
}
