/** An index of a migration, and its table. */
export interface IndexToMake {
  name: string;
  table: string;
  /** The part after the table's name: columns, and the condition of a partial index. */
  what: string;
}

/** The partitions of a table, which PostgreSQL cannot index concurrently as a whole. */
export const partitionsOf = (table: string): string =>
  `select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass('${table}') order by inhrelid`;

/**
 * Statements that make an index without locking its table, one partition after the other. Each may run again: what an
 * interrupted run left is invalid, and is dropped first.
 */
export function makeConcurrently({ name, table, what }: IndexToMake, partitions: readonly string[]): string[] {
  if (partitions.length === 0)
    return [`drop index concurrently if exists ${name}`, `create index concurrently ${name} on ${table} ${what}`];
  const parts = partitions.map((part) => ({ part, index: `${name}${part.replace(/^.*(_p[0-9]+)$/, '$1')}` }));
  return [
    // The whole cannot be dropped concurrently. Without valid parts it holds nothing.
    `drop index if exists ${name}`,
    ...parts.flatMap(({ part, index }) => [
      `drop index concurrently if exists ${index}`,
      `create index concurrently ${index} on ${part} ${what}`,
    ]),
    `create index ${name} on only ${table} ${what}`,
    ...parts.map(({ index }) => `alter index ${name} attach partition ${index}`),
  ];
}
