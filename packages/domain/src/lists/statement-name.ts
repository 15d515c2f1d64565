/** A statement used this often is worth preparing. */
const often = 3;
/** Each connection keeps every prepared statement, so their number is limited. */
const maxNamed = 200;
const maxCounted = 2_000;

const counts = new Map<string, number>();
const names = new Map<string, string>();

/**
 * A name for a frequent statement, so that the server parses and plans it once per connection. Undefined for a rare
 * one, and for all new ones once 200 have names. Only for texts whose best plan does not depend on their values.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= maxNamed) return undefined;
  const count = (counts.get(text) ?? 0) + 1;
  if (count < often) {
    // Rare statements are dropped, so that unusual texts do not fill the memory.
    if (counts.size >= maxCounted) counts.clear();
    counts.set(text, count);
    return undefined;
  }
  counts.delete(text);
  const name = `read-${names.size + 1}`;
  names.set(text, name);
  return name;
}
