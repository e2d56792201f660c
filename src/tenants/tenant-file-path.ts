/** The environment variable with the path. */
const variable = "PLATFORM_WORKBENCH_TENANT_FILE";

/**
 * The path of a file that contains tenants with their credentials, for containers and preconfigured machines; undefined
 * if there is none.
 */
export function tenantFilePath(): string | undefined {
  const path = process.env[variable] ?? "";
  return path === "" ? undefined : path;
}
