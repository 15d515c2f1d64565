import type { Scope } from '../lists/scope.ts';
import type { Domain } from '../open-domain.ts';
import { type Dimension, dimensions, type FiguresQuery } from '../orders/figures/figures-query.ts';

const expressions: Record<Dimension, string> = {
  time: "(extract(epoch from date_trunc('GRAIN', created_at at time zone 'ZONE') at time zone 'ZONE') * 1000)::float8",
  country: 'country',
  channel: 'channel_id',
  merchant: 'merchant_id',
  status: 'status',
  kind: 'kind',
  bank: 'bank_code',
};
const names = {
  time: 'startsAt',
  country: 'country',
  channel: 'channelId',
  merchant: 'merchantId',
  status: 'status',
  kind: 'kind',
  bank: 'bankCode',
};

/** The same groups, computed from every order. The durations are exact. */
export async function plainFigures(
  domain: Domain,
  scope: Scope,
  query: FiguresQuery,
  from: number,
  to: number,
): Promise<Record<string, unknown>[]> {
  const grouping = dimensions.filter((one) => query.by?.includes(one));
  const shown = dimensions.map(
    (one) =>
      `${grouping.includes(one) ? expressions[one].replace('GRAIN', query.grain ?? 'day').replaceAll('ZONE', query.timeZone ?? 'UTC') : 'null'} as "${names[one]}"`,
  );
  const took = 'extract(epoch from completed_at - created_at)::float8 * 1000';
  const { rows } = await domain.database.pool.query(
    `select ${shown.join(', ')}, currency, count(*)::integer as orders, count(*) filter (where ended)::integer as ended,
       count(completed_at)::integer as completed, sum(amount)::text as amount,
       coalesce(sum(amount) filter (where completed_at is not null), 0.00)::text as "completedAmount",
       coalesce(sum(fee_amount) filter (where completed_at is not null), 0.00)::text as "feeRevenue",
       percentile_disc(0.5) within group (order by ${took}) filter (where completed_at is not null) as p50,
       percentile_disc(0.95) within group (order by ${took}) filter (where completed_at is not null) as p95
     from (select *, status in ('completed', 'failed', 'timeout', 'cancelled') as ended from orders) o
     where created_at >= to_timestamp($1::float8 / 1000) and created_at < to_timestamp($2::float8 / 1000)
       and ($3::text[] is null or merchant_id = any($3)) and ($4::text[] is null or country = any($4))
       and ($5::text[] is null or merchant_id = any($5)) and ($6::text[] is null or country = any($6))
       and ($7::text is null or kind = $7) and ($8::text[] is null or status = any($8))
       and ($9::text[] is null or bank_code = any($9))
     group by 1, 2, 3, 4, 5, 6, 7, 8`,
    [
      from,
      to,
      query.merchantIds,
      query.countries,
      scope.merchantIds,
      scope.countries,
      query.kind,
      query.statuses,
      query.bankCodes,
    ],
  );
  return rows;
}

/** The key of a group, as text. */
export const groupKey = (group: object): string =>
  JSON.stringify([...Object.values(names), 'currency'].map((name) => (group as Record<string, unknown>)[name]));
