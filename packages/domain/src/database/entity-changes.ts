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

/** What an entity was and what it is now; null: it was not there, or is not any more. */
export interface EntityChange {
  before: Fields | null;
  after: Fields | null;
}

/** Gives what the change sets of all flushes so far say of an entity: `fields` of it, or all that may be shown. One that did not change is the same before and after. */
export type ChangeOf = (entity: object, fields?: readonly string[]) => EntityChange;

/** What the database keeps by itself, or what is derived: no part of what somebody decided. */
const derived = new Set(['createdAt', 'changedAt', 'lastUsedAt', 'identityRoles', 'identitySeenAt', 'tag']);

/** Follows the change sets of a unit of work, from now on. Keys and hidden properties, which are the secrets, are never shown. */
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

/** A change set's original has values as the database keeps them, and of other entities their keys. */
function stored(em: EntityManager, { name, customType }: EntityProperty, original: unknown): unknown {
  const value = (original as Fields | undefined)?.[name];
  return customType && value != null ? customType.convertToJSValue(value, em.getPlatform()) : value;
}
