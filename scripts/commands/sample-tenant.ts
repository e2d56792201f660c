// npm run sample-tenant -- [--port N] [--data DIR] [--latency MS] [--fail STATUS:PROBABILITY]… [--cut PROBABILITY]
// [--content-server jupyter | --described[=strict]]: the sample tenant by itself.
import { join, resolve } from "node:path";
import { ready } from "../set-up/part.ts";
import { partsDirectory } from "../set-up/paths.ts";
import { pythonEnvironment } from "../set-up/python-environment.ts";
import {
  CommandLineError,
  contentServersOf,
  portOf,
  readOptions,
  runCommand,
  untilInterrupted,
} from "../start/command-line.ts";
import { startSamplePlatform, tenantLines } from "../start/sample-platform.ts";

await runCommand(async () => {
  const options = readOptions({
    port: { type: "string" },
    data: { type: "string" },
    latency: { type: "string" },
    fail: { type: "string", multiple: true },
    cut: { type: "string" },
    "content-server": { type: "string" },
    described: { type: "string" },
  });
  const { contentServer = "embedded", described } = contentServersOf(options);
  const port = portOf(options.port);
  const faults = {
    latency: numberOf("--latency", options.latency ?? "0", 600_000),
    failures: (options.fail ?? []).map(failureOf),
    cutProbability: numberOf("--cut", options.cut ?? "0", 1),
  };
  if (contentServer === "jupyter") await ready(pythonEnvironment);
  const platform = await startSamplePlatform({
    dataDirectory: resolve(options.data ?? join(partsDirectory, "data")),
    ...(port === undefined ? {} : { port }),
    contentServer,
    described,
    faults,
  });
  for (const line of tenantLines(platform, contentServer)) console.log(line);
  console.log("Press Ctrl+C to stop it.");
  await untilInterrupted();
  await platform.stop();
});

function numberOf(option: string, text: string, max: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= max)) {
    throw new CommandLineError(`${option} ${text}: enter a number from 0 to ${max}.`);
  }
  return value;
}

function failureOf(text: string): { status: number; probability: number } {
  const [status = "", probability = "1"] = text.split(":");
  if (!/^[45]\d\d$/.test(status))
    throw new CommandLineError(`--fail ${text}: use the format STATUS:PROBABILITY, such as 503:0.05.`);
  return { status: Number(status), probability: numberOf("--fail", probability, 1) };
}
