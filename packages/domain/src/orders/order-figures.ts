export type Grain = 'hour' | 'day';

/** The table of the figures by the hour or by the day. */
export function figuresTable(grain: Grain): string {
  return `order_figures_by_${grain}`;
}

/** The statuses that an order ends in, as an SQL list. */
export const endedStatuses = `('completed', 'failed', 'timeout', 'cancelled')`;

/** Each bucket of durations reaches a tenth further than the one before; the first one to 110 ms. */
const firstBucketMs = 100;
const growth = 1.1;

/** The bucket of the time from an order's creation to its completion; null where it is not completed. `status` and `order` are SQL. */
export function bucketOf(status: string, order: string): string {
  const millis = `extract(epoch from ${order}.completed_at - ${order}.created_at)::float8 * 1000`;
  const bucket = `greatest(1, ceil(ln(greatest(1, ${millis}) / ${firstBucketMs}) / ln(${growth}::float8)))`;
  return `(case ${status} when 'completed' then ${bucket} end)::integer`;
}

/** A duration in the middle of a bucket, in whole milliseconds: no more than 5 % from any in it, but for those below 100 ms. */
export function durationOfBucket(bucket: number): number {
  return Math.round(firstBucketMs * growth ** (bucket - 0.5));
}

/**
 * What the ends of orders change in the figures, one row each: plus one for the status that is reached, minus one for an ended status that is
 * left (a failed order that a case completes). So a row says all by itself, and any set of them can be added up in any order.
 * `conditions` are about the transition `x` and the order `o`.
 */
export function endedSql(conditions: readonly string[]): string {
  return `select o.merchant_id, o.created_at, o.country, o.currency, o.kind, o.channel_id, s.status,
      ${bucketOf('s.status', 'o')} as bucket, s.sign as orders, s.sign * o.amount as amount, s.sign * o.fee_amount as fee_amount
    from order_transition x join orders o on o.merchant_id = x.merchant_id and o.order_no = x.order_no
    cross join lateral (values (x."to", 1), (x."from", -1)) as s(status, sign)
    where x."to" in ${endedStatuses} and s.status in ${endedStatuses} and ${conditions.join(' and ')}`;
}
