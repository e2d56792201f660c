/** A row of bars: its label, and a bar for each series. */
interface BarGroup {
  readonly label: string;
  readonly bars: readonly { readonly value: number; readonly text: string }[];
}

export interface BarChart {
  readonly title: string;
  /** Names of the series, in the order of each group's bars. */
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
  /** The value of a reference line, such as a limit. */
  readonly line?: { readonly value: number; readonly text: string };
}

const width = 760;
const labelWidth = 190;
const barHeight = 13;
const colours = ["#2f6fb7", "#d0862c", "#7a9a4a"];
const plotWidth = width - labelWidth - 110;

/** A chart of horizontal bars as SVG that is readable on light and dark backgrounds. */
export function barChart({ title, series, groups, line }: BarChart): string {
  const max = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), line?.value ?? 0, 0.001);
  const scaled = (value: number): number => Math.max((value / max) * plotWidth, 1);
  const rows: string[] = [];
  let y = 58;
  for (const { label, bars } of groups) {
    const middle = y + (bars.length * barHeight) / 2 + 4;
    rows.push(`<text x="${labelWidth - 10}" y="${middle}" text-anchor="end">${escaped(label)}</text>`);
    for (const [index, { value, text }] of bars.entries()) {
      const length = scaled(value).toFixed(1);
      rows.push(
        `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight - 2}" fill="${colours[index]}"/>`,
        `<text x="${labelWidth + Number(length) + 6}" y="${y + 10}" class="value">${escaped(text)}</text>`,
      );
      y += barHeight;
    }
    y += 9;
  }
  if (line !== undefined) {
    const x = labelWidth + scaled(line.value);
    rows.push(
      `<line x1="${x}" x2="${x}" y1="50" y2="${y - 4}" stroke="#b3362c" stroke-dasharray="4 3"/>`,
      `<text x="${x}" y="46" text-anchor="middle" class="value">${escaped(line.text)}</text>`,
    );
  }
  const legend = series.map(
    (name, index) =>
      `<rect x="${labelWidth + index * 170}" y="28" width="10" height="10" fill="${colours[index]}"/>` +
      `<text x="${labelWidth + index * 170 + 15}" y="37" class="value">${escaped(name)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="${escaped(title)}">
<style>text{font:12px system-ui,sans-serif;fill:#767676}.title{font-size:14px;font-weight:600}.value{font-size:11px}</style>
<text x="10" y="18" class="title">${escaped(title)}</text>
${[...(series.length > 1 ? legend : []), ...rows].join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
