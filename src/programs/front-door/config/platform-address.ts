/** The platform's address for a tenant; undefined where the address wants a tenant and there is none. */
export function platformUrlOf(template: string, tenant: string | undefined): URL | undefined {
  if (!template.includes("{tenant}")) {
    return new URL(template);
  }
  return tenant === undefined ? undefined : new URL(template.replaceAll("{tenant}", tenant));
}
