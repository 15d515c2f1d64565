/** Properties of rows that are wanted; undefined: all. What a row is not read with is missing at run time, whatever its type says. */
export type Only = ReadonlySet<string> | undefined;

/** The same with what rows are always read with. */
export function withKeys(only: Only, keys: readonly string[]): Only {
  return only && new Set([...keys, ...only]);
}
