import {
  type EntityManager,
  type EntityMetadata,
  type EntityProperty,
  type FlushEventArgs,
  helper,
  ReferenceKind,
} from '@mikro-orm/postgresql';
import { hasColumn, propertyOf } from './columns.ts';

type Fields = Record<string, unknown>;

/** An entity before and after a change; null: it did not exist. */
export interface EntityChange {
  before: Fields | null;
  after: Fields | null;
}

/**
 * Returns the change of an entity in all flushes so far: the given `fields`, or all that may be shown. Without a change
 * both are the same.
 */
export type ChangeOf = (entity: object, fields?: readonly string[]) => EntityChange;

/** Set by the database or derived, so not part of an operator's decision. */
const derived = new Set(['createdAt', 'changedAt', 'lastUsedAt', 'identityRoles', 'identitySeenAt', 'tag']);

/** Follows the change sets of a unit of work from now on. Keys and hidden properties (secrets) are never included. */
export function followChanges(em: EntityManager): ChangeOf {
  const seen = new Map<object, { original: Fields | null; isRemoved: boolean }>();
  em.getEventManager().registerSubscriber({
    onFlush({ uow }: FlushEventArgs): void {
      for (const { entity, meta, type, originalEntity } of uow.getChangeSets()) {
        const isRemoved = type.startsWith('delete');
        const known = seen.get(entity);
        const original = (): Fields | null => {
          if (type === 'create') return null;
          return isRemoved ? shownNow(entity) : shown(meta, (property) => stored(em, property, originalEntity));
        };
        seen.set(entity, { original: known ? known.original : original(), isRemoved });
      }
    },
  });
  return (entity, fields) => {
    const change = seen.get(entity);
    const now = change?.isRemoved ? null : shownNow(entity);
    return { before: only(change ? change.original : now, fields), after: only(now, fields) };
  };
}

function only(all: Fields | null, fields: readonly string[] | undefined): Fields | null {
  if (all === null || fields === undefined) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)));
}

function shown(meta: EntityMetadata, read: (property: EntityProperty) => unknown): Fields {
  const properties = meta.props.filter(
    (property) => hasColumn(property) && !property.primary && !property.hidden && !derived.has(property.name),
  );
  return Object.fromEntries(properties.map((property) => [propertyOf(property), read(property) ?? null]));
}

function shownNow(entity: object): Fields {
  const values = entity as Fields;
  return shown(helper(entity).__meta as EntityMetadata, ({ name, kind }) =>
    kind === ReferenceKind.SCALAR ? values[name] : values[name] && helper(values[name] as object).getPrimaryKey(),
  );
}

/** A change set's original has values as stored, and other entities as their keys. */
function stored(em: EntityManager, { name, customType }: EntityProperty, original: unknown): unknown {
  const value = (original as Fields | undefined)?.[name];
  return customType && value != null ? customType.convertToJSValue(value, em.getPlatform()) : value;
}
