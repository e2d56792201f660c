import { type DispatchRequest, type DispatchResponse, ReceiverError, ResponseTooLargeError } from "../dispatch.ts";
import { maxErrorBytes } from "../response-limits.ts";

/** A response of an HTTP library, whose body has not been read. */
export interface IncomingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the rest of the body. */
  discard(): void;
}

/** Reads the body within the limits of the request. */
export async function receiveResponse(
  { status, headers: given, body: incoming, discard }: IncomingResponse,
  { receiver: wanted, maximumBytes, onReceived }: DispatchRequest,
): Promise<DispatchResponse> {
  const headers = flattened(given);
  const length = Number(headers["content-length"]);
  const total = Number.isSafeInteger(length) ? length : undefined;
  const isSuccess = status >= 200 && status <= 299;
  const receiver = isSuccess ? wanted : undefined;
  const maxBytes = isSuccess ? maximumBytes : Math.min(maximumBytes, maxErrorBytes);
  const parts: Uint8Array[] = [];
  let received = 0;
  try {
    if (isSuccess && receiver === undefined && total !== undefined && total > maxBytes) {
      throw new ResponseTooLargeError(maxBytes);
    }
    await taken(receiver?.begin());
    for await (const part of incoming) {
      received += part.byteLength;
      if (receiver !== undefined) {
        await taken(receiver.write(part));
      } else if (received <= maxBytes) {
        parts.push(part);
      } else if (isSuccess) {
        throw new ResponseTooLargeError(maxBytes);
      } else {
        // The status and the beginning of an error response are enough.
        discard();
        break;
      }
      // Without a wait, a further part is read at once.
      const waiting = onReceived(received, total);
      if (waiting !== undefined) {
        await taken(waiting);
      }
    }
  } catch (error) {
    discard();
    throw error;
  }
  const body = Buffer.concat(parts);
  return receiver === undefined ? { status, headers, body } : { status, headers, body, received };
}

async function taken(work: Promise<void> | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new ReceiverError("the receiver took no more", { cause: error });
  }
}

/** Headers with one value each, without cookies. */
export function flattened(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie") {
      flat[name] = typeof value === "string" ? value : value.join(", ");
    }
  }
  return flat;
}
