import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import { columnsAs } from '../database/columns.ts';
import { type Only, withKeys } from './only.ts';

/** A table whose key is one column of type text. */
export interface SmallTable {
  entity: EntityName;
  omitted?: readonly string[];
  /** The key's property and column. */
  key: readonly [property: string, column: string];
  /** Whether its rows belong to merchants, so that the scope applies. */
  isOfMerchant: boolean;
}

/** A row of a `SmallTable` that is joined to a row of another table. */
export interface Joined {
  /** The path of the property that receives it. */
  into: readonly string[];
  table: SmallTable;
  only?: Only;
}

type Row = Record<string, unknown>;

/** The SQL that reads joined rows in the same statement. `on` is the column that has their key. */
export function readJoined(orm: MikroORM, relations: readonly Joined[], on: string) {
  const parts = relations.map(({ into, table, only }, i) => {
    const prefix = `${into.join('.')}:`;
    const columns = columnsAs(orm, table.entity, {
      omitted: table.omitted,
      only: withKeys(only, [table.key[0]]),
      alias: `b${i}`,
      prefix,
    });
    return {
      into,
      text: columns.text,
      key: `${prefix}${table.key[0]}`,
      join: ` left join ${orm.getMetadata().get(table.entity).tableName} b${i} on b${i}.${table.key[1]} = ${on}`,
      names: columns.properties.map((property) => [property, `${prefix}${property}`] as const),
    };
  });
  return {
    /** Additional selected columns, with a comma before them. */
    columns: parts.map(({ text }) => `, ${text}`).join(''),
    /** The `join` clauses that these columns need. */
    joins: parts.map(({ join }) => join).join(''),
    /** The names of these columns. */
    names: parts.flatMap(({ names }) => names.map(([, name]) => name)),
    /**
     * Makes objects from the joined columns of each row; null if there is no joined row. The columns stay in the row,
     * because deleting them takes longer than making the objects.
     */
    fold: (rows: readonly Row[]): void => {
      for (const part of parts) for (const row of rows) join(row, part);
    },
  };
}

/** Columns for a select list, and the properties that they become. */
interface Columns {
  text: string;
  properties: readonly string[];
}

/**
 * Reads a page together with joined rows that many of its rows share. Each joined row is read once, as a separate row
 * after those of the page. `key`: the property and column of the join.
 */
export function readOnceJoined(
  orm: MikroORM,
  own: Columns,
  relations: readonly [Joined, ...Joined[]],
  key: SmallTable['key'],
) {
  const [property, column] = key;
  const joined = readJoined(orm, relations, `k.${column}`);
  const into = relations[0].into.join('.');
  const ownNulls = own.properties.map(() => 'null').join(', ');
  const nulls = joined.names.map((name) => `, null as "${name}"`).join('');
  return {
    /**
     * The complete statement. `page` is the statement of the page, which selects all columns of its table. PostgreSQL
     * reads the parts of a `union all` one after the other, so the rows of the page keep their order.
     */
    around: (page: string): string => `with page as materialized (${page})
      select ${own.text}${nulls} from page t
      union all select ${ownNulls}${joined.columns} from (select distinct t.${column} from page t) k${joined.joins}`,
    /** Returns the rows of the page, each with its joined object. */
    fold: (rows: readonly Row[]): Row[] => {
      const page = rows.filter((row) => row[property] !== null);
      const others = rows.filter((row) => row[property] === null);
      joined.fold(others);
      const byKey = new Map(others.map((row) => [row[`${into}:${property}`], row[into]]));
      for (const row of page) row[into] = byKey.get(row[property]);
      return page;
    },
  };
}

export type JoinedReading = ReturnType<typeof readOnceJoined>;

interface Part {
  into: readonly string[];
  key: string;
  names: readonly (readonly [property: string, column: string])[];
}

function join(row: Row, { into, key, names }: Part): void {
  if (row[key] === null) return;
  const other: Row = {};
  for (const [property, column] of names) other[property] = row[column];
  const place = into.slice(0, -1).reduce<Row | undefined>((at, part) => at?.[part] as Row | undefined, row);
  if (place) place[into.at(-1) ?? ''] = other;
}
