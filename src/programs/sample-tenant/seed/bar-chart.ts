import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

const width = 560;
const height = 240;
const margin = 16;
const white: Colour = [255, 255, 255];
const gridColour: Colour = [224, 228, 233];
const axisColour: Colour = [90, 98, 110];
const measuredColour: Colour = [52, 120, 190];
const forecastColour: Colour = [240, 150, 60];

/** A bar chart as PNG: bars of what was measured, and after them, in another colour, of what is expected. */
export function barChart(measured: readonly number[], expected: readonly number[] = []): Uint8Array {
  const pixels = Buffer.alloc(width * height * 3);
  const fill = (left: number, top: number, right: number, bottom: number, colour: Colour): void => {
    for (let y = Math.round(top); y < Math.round(bottom); y += 1) {
      for (let x = Math.round(left); x < Math.round(right); x += 1) {
        pixels.set(colour, (y * width + x) * 3);
      }
    }
  };
  const values = [...measured, ...expected];
  const highest = Math.max(...values) * 1.05;
  const ground = height - margin;
  const step = (width - 2 * margin) / values.length;
  fill(0, 0, width, height, white);
  for (let line = 1; line <= 4; line += 1) {
    const y = ground - (line / 4) * (ground - margin);
    fill(margin, y, width - margin, y + 1, gridColour);
  }
  values.forEach((value, index) => {
    const left = margin + index * step;
    const top = ground - (value / highest) * (ground - margin);
    fill(
      left + step * 0.15,
      top,
      left + step * 0.85,
      ground,
      index < measured.length ? measuredColour : forecastColour,
    );
  });
  fill(margin, ground, width - margin, ground + 2, axisColour);
  return png(pixels);
}

function png(pixels: Buffer): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
