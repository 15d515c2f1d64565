const waitedMs = (oldest: string): string =>
  `greatest(0, coalesce(round(extract(epoch from clock_timestamp() - (${oldest})) * 1000), 0))::float8 as "oldestMs"`;
const counted = (condition: string): string =>
  `(select count(*)::integer from (select from notification where ${condition} limit $1) t) as count`;
const due = (place: 'first' | 'retry', attempts: string): string => {
  const condition = `state = 'pending' and held_by is null and ${attempts} and next_attempt_at <= (select clock_timestamp()::timestamptz(3))`;
  return `select '${place}' as place, ${counted(condition)}, ${waitedMs(`select min(next_attempt_at) from notification where ${condition}`)}`;
};
/** The oldest of each backlog is found by an index scan from backlog to backlog. */
const held = (
  place: 'host' | 'pause',
  backlogs: string,
  key: string,
  order: string,
): string => `select '${place}', ${counted(`held_by = '${place}'`)},
  ${waitedMs(`select min(o.next_attempt_at) from (select * from ${backlogs} limit $2) l cross join lateral (
    select next_attempt_at from notification n where held_by = '${place}' and ${key} order by ${order} limit 1) o`)}`;

// The same condition as that of the partial index, so that PostgreSQL uses it.
const behindOlder = `held_by = 'order' and body <> ''`;

/**
 * How many due notifications wait in each place, counted up to $1, and for how long the oldest does. Looks at $2
 * backlogs.
 */
export const waitingSql = `with recursive backlog as (
    (select host, merchant_id, false as tried from notification where held_by = 'host' order by host, merchant_id, attempt > 0 limit 1)
    union all
    select n.host, n.merchant_id, n.tried from backlog l cross join lateral (
      select host, merchant_id, attempt > 0 as tried from notification
      where held_by = 'host' and (host, merchant_id, attempt > 0) > (l.host, l.merchant_id, l.tried) order by host, merchant_id, attempt > 0 limit 1) n),
  paused as (
    (select merchant_id from notification where held_by = 'pause' order by merchant_id limit 1)
    union all
    select n.merchant_id from paused p cross join lateral (
      select merchant_id from notification where held_by = 'pause' and merchant_id > p.merchant_id order by merchant_id limit 1) n)
  ${due('first', 'attempt = 0')} union all ${due('retry', 'attempt > 0')}
  union all ${held('host', 'backlog', 'n.host = l.host and n.merchant_id = l.merchant_id and (n.attempt > 0) = l.tried', 'next_attempt_at')}
  union all ${held('pause', 'paused', 'n.merchant_id = l.merchant_id', 'next_attempt_at')}
  union all select 'order', ${counted(behindOlder)}, ${waitedMs(`select min(next_attempt_at) from notification where ${behindOlder}`)}`;

const openParts = [
  `state = 'pending' and held_by is null and attempt = 0`,
  `state = 'pending' and held_by is null and attempt > 0`,
  `held_by = 'host'`,
  `held_by = 'pause'`,
  behindOlder,
];
const numberOf = (condition: string): string =>
  `(select count(*) from (select from notification where ${condition} limit $1) t)`;
/** How many notifications are pending, and how many were given up in the last two days; each part is counted up to $1 by its own partial index. */
export const statesSql = `select least($1, ${openParts.map(numberOf).join(' + ')})::integer as pending,
  ${numberOf(`state = 'exhausted' and created_at > clock_timestamp() - interval '2 days'`)}::integer as exhausted`;
