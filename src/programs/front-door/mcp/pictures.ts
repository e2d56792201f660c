/** A picture in a result. */
export interface Picture {
  /** One of the types that clients of the protocol show: PNG, JPEG, GIF, or WebP. */
  readonly mimeType: string;
  /** Base64 without line breaks. */
  readonly data: string;
}

/** The picture in these bytes, recognized by how they begin; undefined if they are something else. */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  const mimeType = pictureTypeOf(bytes);
  return mimeType === undefined ? undefined : { mimeType, data: Buffer.from(bytes).toString("base64") };
}

/** The picture in base64 of a cell's output, with or without line breaks; undefined if it is something else. */
export function pictureFrom(base64: string): Picture | undefined {
  const mimeType = pictureTypeOf(Buffer.from(base64.slice(0, 32), "base64"));
  return mimeType === undefined ? undefined : { mimeType, data: base64.replace(/\s/g, "") };
}

function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) {
    return "image/png";
  }
  if (start.startsWith("\xff\xd8\xff")) {
    return "image/jpeg";
  }
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
    return "image/gif";
  }
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}

/** Number of bytes of a picture. */
export function pictureBytes({ data }: Picture): number {
  return Buffer.byteLength(data, "base64");
}
