import type { StatementLineType } from '@tidegate/domain/reconciliation';

/** A word of a statement, its meaning for us, and the place where it is documented. */
export interface TypeWord {
  word: string;
  type: StatementLineType;
  source: string;
}

/** Finds the row of a word. Words are compared as they are. */
export function typeTable(rows: readonly TypeWord[]): (word: string) => StatementLineType | undefined {
  const table = new Map(rows.map(({ word, type }) => [word, type]));
  return (word) => table.get(word);
}
