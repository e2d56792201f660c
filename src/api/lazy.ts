/**
 * Loads a value on first use and caches it. Concurrent calls share one load. A failed load is not cached, so the next
 * call tries again.
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
