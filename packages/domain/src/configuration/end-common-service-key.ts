import type { Within } from '../ledger/index.ts';

/** Until when the common key signs and is published, in Unix ms, before and after; null: without end. */
export interface CommonKeyEnd {
  keyId: string;
  before: number | null;
  after: number;
}

/**
 * Sets when the common key ends (Unix ms; null: now), by the database's clock: until then it signs for merchants that do not use their
 * own key yet, and is published. The end can be moved as long as it has not come. Null: there is no common key (any more).
 */
export async function endCommonServiceKey(within: Within, endsAt: number | null): Promise<CommonKeyEnd | null> {
  const { rows } = await within.database.pool.query<CommonKeyEnd & { signs: boolean }>(endSql, [endsAt]);
  const signing = rows.find(({ signs }) => signs);
  return signing ? { keyId: signing.keyId, before: signing.before, after: signing.after } : null;
}

// Of keys that were rotated before, those that are only published end no later than they would have.
const endSql = `
with alive as (
  select key_id, retires_at, row_number() over (order by retires_at is not null, created_at desc) = 1 as signs from service_key
  where retires_at is null or retires_at > clock_timestamp()),
wanted as (select greatest(coalesce(to_timestamp($1::float8 / 1000), clock_timestamp()), clock_timestamp()) as at)
update service_key k set retires_at = case when a.signs then w.at else least(k.retires_at, w.at) end from alive a, wanted w
where k.key_id = a.key_id
returning k.key_id as "keyId", round(extract(epoch from a.retires_at) * 1000)::float8 as before,
  round(extract(epoch from k.retires_at) * 1000)::float8 as after, a.signs`;
