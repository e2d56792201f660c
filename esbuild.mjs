// npm run build: the extension's bundles in dist/, with sizes. `--development` leaves them readable, with source maps.
import { buildExtension } from "./scripts/build/bundle.ts";

await buildExtension({ production: !process.argv.includes("--development"), print: true });
