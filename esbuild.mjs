// npm run build: writes the extension's bundles to dist/ and prints their sizes. `--development` keeps them readable,
// with source maps.
import { buildExtension } from "./scripts/build/bundle.ts";

await buildExtension({ production: !process.argv.includes("--development"), print: true });
