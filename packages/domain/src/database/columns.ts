import { type EntityName, type EntityProperty, type MikroORM, ReferenceKind } from '@mikro-orm/postgresql';

/** A prepared statement. Its text never varies, so the server plans it once per connection. */
export interface Statement {
  name: string;
  text: string;
}

export interface Column {
  property: string;
  name: string;
  type: string;
  primary: boolean;
}

/** The name of a property in plain rows. A reference to another row becomes its key: `merchant` is `merchantId`. */
export function propertyOf({ name, kind }: Pick<EntityProperty, 'name' | 'kind'>): string {
  return kind === ReferenceKind.SCALAR ? name : `${name}Id`;
}

function toColumn(property: EntityProperty): Column {
  const type = (property.columnTypes[0] ?? '').replace(/\([^()]*\)/, '');
  return {
    property: propertyOf(property),
    name: `"${property.fieldNames[0]}"`,
    type,
    primary: property.primary === true,
  };
}

/** The columns of an entity without the omitted ones, for reads outside the ledger writer. */
export function columnsOf(orm: MikroORM, entity: EntityName, omitted: readonly string[] = []): string {
  return columnsAs(orm, entity, { omitted, alias: 't', prefix: '' }).text;
}

/**
 * The columns of an entity under a table `alias`, without the omitted ones, or `only` these. `prefix` is added to each
 * property.
 */
export function columnsAs(
  orm: MikroORM,
  entity: EntityName,
  as: {
    omitted?: readonly string[] | undefined;
    only?: ReadonlySet<string> | undefined;
    alias: string;
    prefix: string;
  },
): { text: string; properties: string[] } {
  const { omitted = [], only, alias, prefix } = as;
  const wanted = columnsOfEntity(orm, entity).filter(
    ({ property }) => !omitted.includes(property) && (only === undefined || only.has(property)),
  );
  const text = wanted.map((column) => `${read(column, alias)} as "${prefix}${column.property}"`);
  return { text: text.join(', '), properties: wanted.map(({ property }) => property) };
}

/** Whether the property has a column. A reference to many rows of another table has none. */
export function hasColumn({ kind }: Pick<EntityProperty, 'kind'>): boolean {
  return kind !== ReferenceKind.ONE_TO_MANY;
}

const known = new WeakMap<object, Column[]>();

/** The columns of an entity, computed once. */
export function columnsOfEntity(orm: MikroORM, entity: EntityName): Column[] {
  const meta = orm.getMetadata().get(entity);
  const columns = known.get(meta) ?? meta.props.filter(hasColumn).map(toColumn);
  known.set(meta, columns);
  return columns;
}

export function read({ name, type }: Column, alias: string): string {
  if (type === 'timestamptz') return millis(`${alias}.${name}`);
  if (type === 'bigint') return `${alias}.${name}::float8`;
  if (type === 'numeric' || type === 'date') return `${alias}.${name}::text`;
  return `${alias}.${name}`;
}

export function millis(expression: string): string {
  // date_part is a double, exact to the microsecond for centuries; extract is a numeric, several times slower.
  return `round(date_part('epoch', ${expression}) * 1000)`;
}
