import type pg from 'pg';

/** A sample of many partitions takes longer than a request may wait for the database. */
const patient = { text: 'select gather_first_statistics() as young', query_timeout: 20_000 };
/** The statistics are first gathered after this many orders. Until then any plan is fast. */
const firstAfter = 64;

/**
 * Returns a function that takes how many orders were just created, and has PostgreSQL gather the statistics of `orders`
 * while the table is young: after 64 orders of this process, and each time their number has doubled.
 *
 * Without statistics PostgreSQL believes that a merchant has one order, so every index that begins with the merchant
 * looks as good as the next. A plan that reads all orders of the merchant would stay until autovacuum comes, about a
 * minute later. New statistics discard such plans in all sessions.
 */
export function gatherFirstStatistics(
  pool: Pick<pg.Pool, 'query'>,
  onError: (error: unknown) => void,
): (created: number) => void {
  let orders = 0;
  let next = firstAfter;
  return (created) => {
    orders += created;
    if (orders < next) return;
    next = orders * 2;
    pool.query<{ young: boolean }>(patient).then(({ rows }) => {
      if (rows[0]?.young === false) next = Number.POSITIVE_INFINITY;
    }, onError);
  };
}
