/** The wanted properties of rows; undefined: all. Other properties are missing at run time, whatever the type says. */
export type Only = ReadonlySet<string> | undefined;

/** Adds the properties that are always read. */
export function withKeys(only: Only, keys: readonly string[]): Only {
  return only && new Set([...keys, ...only]);
}
