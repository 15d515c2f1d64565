/** An index to create. */
export interface IndexToMake {
  name: string;
  table: string;
  /** What follows the table's name: the columns, and the condition of a partial index. */
  what: string;
}

/** A query for the partitions of a table. PostgreSQL cannot create an index on the whole table concurrently. */
export const partitionsOf = (table: string): string =>
  `select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass('${table}') order by inhrelid`;

/**
 * Statements that create an index without locking its table, one partition after the other. Each may run again. The
 * index that an interrupted run left is invalid, so it is dropped first.
 */
export function makeConcurrently({ name, table, what }: IndexToMake, partitions: readonly string[]): string[] {
  if (partitions.length === 0)
    return [`drop index concurrently if exists ${name}`, `create index concurrently ${name} on ${table} ${what}`];
  const parts = partitions.map((part) => ({ part, index: `${name}${part.replace(/^.*(_p[0-9]+)$/, '$1')}` }));
  return [
    // The index of the whole table cannot be dropped concurrently. It has no rows of its own.
    `drop index if exists ${name}`,
    ...parts.flatMap(({ part, index }) => [
      `drop index concurrently if exists ${index}`,
      `create index concurrently ${index} on ${part} ${what}`,
    ]),
    `create index ${name} on only ${table} ${what}`,
    ...parts.map(({ index }) => `alter index ${name} attach partition ${index}`),
  ];
}
