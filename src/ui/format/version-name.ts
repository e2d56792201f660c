// How versions of app designs and workflows read everywhere.

/** `v1.3.0` */
export function versionLabel(version: string): string {
  return `v${version}`;
}

/** `Order board v1.3.0` */
export function versionName(of: string, version: string): string {
  return `${of} ${versionLabel(version)}`;
}

/** What a version is of, from `versionName`; undefined for a name of another form. */
export function withoutVersion(name: string, version: string): string | undefined {
  const end = versionName("", version);
  return name.endsWith(end) ? name.slice(0, -end.length) : undefined;
}
