import type { ContentClient } from "../client/client.ts";
import type { KernelSpec } from "./models.ts";
import { getKernelLogo } from "./operations.ts";

const maxBytes = 100_000;
/** Maximum width and height, in pixels. Jupyter's logos are 64 pixels wide and high. */
const maxPixels = 512;
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** Reads the logo of a kernel spec. Undefined if the server has no small PNG. Throws if there is no response. */
export async function readKernelLogo(
  client: ContentClient,
  { name, logoFile }: KernelSpec,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (logoFile === undefined) {
    return undefined;
  }
  const tooMuch = new AbortController();
  try {
    const { status, body } = await client.raw(
      getKernelLogo,
      { name, file: logoFile },
      {
        signal: AbortSignal.any([signal, tooMuch.signal]),
        onReceived: (bytes) => (bytes > maxBytes ? tooMuch.abort() : undefined),
      },
    );
    return status === 200 && isSmallPng(body) ? body : undefined;
  } catch (error) {
    if (tooMuch.signal.aborted) {
      return undefined;
    }
    throw error;
  }
}

/** True for a PNG within the size limits in bytes and pixels. Reads the image size from the PNG header. */
export function isSmallPng(bytes: Uint8Array): boolean {
  if (bytes.length < 24 || bytes.length > maxBytes || signature.some((byte, index) => bytes[index] !== byte)) {
    return false;
  }
  const header = new DataView(bytes.buffer, bytes.byteOffset, 24);
  const isHeader = header.getUint32(12) === 0x49_48_44_52;
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  return isHeader && width > 0 && height > 0 && width <= maxPixels && height <= maxPixels;
}
