/** The last day whose hour $2 has passed in a time zone ($1). */
export const lastDaySql = `select ((clock_timestamp() at time zone $1) - $2::integer * interval '1 hour')::date::text as day`;

/** The cycles of a country's ($1) merchants after a merchant ($2), at most $3, with their last run and the day of their newest settlement. */
export const scheduledCyclesSql = `select c.merchant_id as "merchantId", m.tag, c.working_days as "workingDays", c.weekdays, c.minimum::text as minimum,
    c.keep::text as keep, c.begins_on::text as "beginsOn", c.account_id as "accountId", r.day::text as "lastDay", r.state as "lastState",
    coalesce(r.next_at <= clock_timestamp(), true) as "isFree", s.run_day::text as "settledDay"
  from settlement_cycle c join merchant m on m.merchant_id = c.merchant_id
  left join settlement_run r on r.merchant_id = c.merchant_id
  left join lateral (select n.run_day from settlement n where n.merchant_id = c.merchant_id order by n.seq desc limit 1) s on true
  where m.country = $1 and c.merchant_id > $2 order by c.merchant_id limit $3`;

/** The schedule sees a new cycle ($1) on the day $2: its next run is a later one. */
export const beginRunsSql = `insert into settlement_run (merchant_id, day, state) values ($1, $2, 'done') on conflict (merchant_id) do nothing`;

/** The merchant $1 has no cycle any more: a later one begins with the day on which the schedule first sees it. */
export const forgetRunsSql = 'delete from settlement_run where merchant_id = $1';

/** Claims the run of a merchant ($1) for the day $2, for $3 ms. No row: another process has it, or has done it. */
export const claimRunSql = `update settlement_run r set day = $2, state = 'running', next_at = clock_timestamp() + $3::float8 * interval '1 millisecond',
    attempts = case when r.day = $2 then r.attempts + 1 else 1 end
  where r.merchant_id = $1 and (r.day < $2 or (r.day = $2 and r.state <> 'done' and r.next_at <= clock_timestamp())) returning r.attempts`;

/** Stores the outcome of the attempt $3 of a merchant ($1) for the day $2: the state $4, again in $5 ms. */
export const endRunSql = `update settlement_run set state = $4, next_at = clock_timestamp() + $5::float8 * interval '1 millisecond'
  where merchant_id = $1 and day = $2 and attempts = $3 and state = 'running'`;

/** How many cycles of each country run on the same weekdays and were drafted up to the same day. Where the last run has not succeeded, also the day of the newest settlement. */
export const runsOfCyclesSql = `select m.country, c.weekdays, r.day::text as "lastDay", r.state as "lastState", s.run_day::text as "settledDay", count(*)::integer as count
  from settlement_cycle c join merchant m on m.merchant_id = c.merchant_id left join settlement_run r on r.merchant_id = c.merchant_id
  left join lateral (select n.run_day from settlement n where r.state <> 'done' and n.merchant_id = c.merchant_id order by n.seq desc limit 1) s on true
  group by 1, 2, 3, 4, 5`;

/** The countries that have cycles. */
export const countriesOfCyclesSql =
  'select distinct m.country from settlement_cycle c join merchant m on m.merchant_id = c.merchant_id order by 1';
