// npm run front-door -- --demo [--port N] [--changes] [--data DIR] [--log-level LEVEL]: the front door with its own
// issuer, internal service, and sample tenant, and a token for trying it. npm run front-door -- [--setting VALUE]…: the
// front door with the given settings. --help lists all settings.
import { join, resolve } from "node:path";
import { partsDirectory } from "../set-up/paths.ts";
import { portOf, readOptions, runCommand, untilInterrupted } from "../start/command-line.ts";

if (process.argv.includes("--demo")) await runCommand(demo);
else await import("../../src/programs/front-door/main.ts");

async function demo(): Promise<void> {
  const options = readOptions({
    demo: { type: "boolean" },
    port: { type: "string" },
    changes: { type: "boolean" },
    data: { type: "string" },
    "log-level": { type: "string" },
  });
  const port = portOf(options.port);
  const { startSamplePlatform } = await import("../start/sample-platform.ts");
  const { clientConfigurations, tokenVariable } = await import("../start/client-configurations.ts");
  const { startDemo, tokenHours } = await import("../start/front-door-demo.ts");
  const platform = await startSamplePlatform({
    dataDirectory: resolve(options.data ?? join(partsDirectory, "front-door-demo")),
    contentServer: "embedded",
  });
  const { frontDoor, token, email, internalSecret, stop } = await startDemo({
    tenant: platform.tenant,
    ...(port === undefined ? {} : { port }),
    mayChange: options.changes === true,
    logLevel: options["log-level"] ?? "warn",
  });
  const inspect = `npx mcp-inspector --cli ${frontDoor.url}/mcp --header "Authorization: Bearer $TOKEN"`;
  const json = "-H 'Content-Type: application/json'";
  console.log(`Front door:    ${frontDoor.url}/mcp (${options.changes === true ? "reads and changes" : "read-only"})`);
  console.log(`Sample tenant: ${platform.tenant.url}`);
  console.log(
    `\nToken of ${email}, valid for ${tokenHours} hours, for the following commands:\nexport TOKEN=${token}\n`,
  );
  console.log(`Try it:\n${inspect} --method tools/list`);
  console.log(`${inspect} --method tools/call --tool-name designs_list --tool-args-json '{"limit":3}'`);
  console.log(
    `curl -s ${frontDoor.url}/mcp -H "Authorization: Bearer $TOKEN" ${json} -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"workspaces_search"}}'\n`,
  );
  console.log(
    `Validate the stored credential:\ncurl -s ${frontDoor.internalUrl}/internal/validate ${json} -H 'X-Webui-Secret: ${internalSecret}' -d '{"email":"${email}","slug":"platform"}'\n`,
  );
  for (const { client, file, text } of clientConfigurations(`${frontDoor.url}/mcp`)) {
    console.log(`${client}, in ${file}:\n${text}\n`);
  }
  console.log(`The last two read the token from the environment: export ${tokenVariable}=$TOKEN\n`);
  console.log("Press Ctrl+C to stop it.");
  await untilInterrupted();
  await stop();
  await platform.stop();
}
