/**
 * Rows of a batch loader in dataloader's type. A missing or invisible row is null at run time. So such a field is
 * nullable, or its row always exists.
 */
export function loaded<Row>(rows: readonly (Row | null)[]): readonly Row[] {
  return rows as readonly Row[];
}

/** The key of a merchant's row as one text. No part contains a blank. */
export function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(' ');
}

/** The parts of such a text. Missing ones are empty. */
export function partsOf(key: string): [string, string, string] {
  const [first = '', second = '', third = ''] = key.split(' ');
  return [first, second, third];
}
