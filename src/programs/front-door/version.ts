declare const PLATFORM_WORKBENCH_VERSION: string | undefined;

/** The version of the program; `from-source` if it was not built. */
export const version = typeof PLATFORM_WORKBENCH_VERSION === "string" ? PLATFORM_WORKBENCH_VERSION : "from-source";
