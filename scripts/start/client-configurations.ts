/** A configuration of a client for a front door. */
interface ClientConfiguration {
  readonly client: string;
  /** Relative to the user's project. */
  readonly file: string;
  readonly text: string;
}

/** The name of the environment variable with the token, for clients that read it from there. */
export const tokenVariable = "PLATFORM_TOKEN";

/** The name of VS Code's own prompt for the token. */
const tokenInput = "platform-token";

/** Configurations to paste into common clients. They contain no token. */
export function clientConfigurations(url: string): readonly ClientConfiguration[] {
  const withToken = (place: string) => ({ url, headers: { Authorization: `Bearer ${place}` } });
  const inputs = [{ type: "promptString", id: tokenInput, description: "Front door token", password: true }];
  return [
    {
      client: "VS Code",
      file: ".vscode/mcp.json",
      text: json({ inputs, servers: { platform: { type: "http", ...withToken(`\${input:${tokenInput}}`) } } }),
    },
    {
      client: "Claude Code",
      file: ".mcp.json",
      text: json({ mcpServers: { platform: { type: "http", ...withToken(`\${${tokenVariable}}`) } } }),
    },
    {
      client: "Cursor",
      file: ".cursor/mcp.json",
      text: json({ mcpServers: { platform: withToken(`\${env:${tokenVariable}}`) } }),
    },
  ];
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
