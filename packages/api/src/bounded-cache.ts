/** Values by key, the least recently used dropped first. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** Bytes of all kept values, by estimate. */
  bytes(): number;
}

/** A cache bounded by bytes. `sizeOf` estimates what an entry holds; an entry above a sixteenth of `maxBytes` is not kept. */
export function boundedCache<Value>(
  maxBytes: number,
  sizeOf: (key: string, value: Value) => number,
): BoundedCache<Value> {
  // A Map keeps the order of insertion: the first entry is the least recently used.
  const kept = new Map<string, { value: Value; bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set: (key, value) => {
      drop(key);
      const bytes = sizeOf(key, value);
      if (bytes > maxBytes / 16) return;
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
    delete: drop,
    bytes: () => total,
  };
}
