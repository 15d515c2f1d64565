/**
 * Rows of a batch loader as dataloader has them. What is not there, or not to be seen, is null at run time: such a field is
 * nullable, or names what cannot be missing.
 */
export function loaded<Row>(rows: readonly (Row | null)[]): readonly Row[] {
  return rows as readonly Row[];
}

/** A row of a merchant by one text: of no part is a blank a part. */
export function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(' ');
}

/** The parts of such a text; fewer than there should be are empty. */
export function partsOf(key: string): [string, string, string] {
  const [first = '', second = '', third = ''] = key.split(' ');
  return [first, second, third];
}
