/**
 * Loads something with its first use and keeps it. Calls at the same time share one load; a load that fails is forgotten,
 * so that the next call tries again.
 */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
