import { ParquetScreens } from "./parquet-screens.ts";
import { type PdfScreenParts, PdfScreens } from "./pdf-screens.ts";

export { parquetCommands } from "./parquet-screens.ts";

type Parts = PdfScreenParts & ConstructorParameters<typeof ParquetScreens>[0];

/** The screens by the editor's id of their kind of file. */
export function screensOf(parts: Parts) {
  return { pdf: new PdfScreens(parts), parquet: new ParquetScreens(parts) };
}
