import { Migration } from '@mikro-orm/migrations';

/**
 * Figures per quarter of an hour, for time zones that are not whole hours from UTC, and per bank and failure reason.
 * The tables begin empty; the worker fills them from the transitions in bounded steps. The previous version goes on
 * writing only the figures per hour and day.
 */
export class FinerFigures extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const figures = `
  country text not null,
  currency text not null,
  kind text not null,
  channel_id text not null,
  status text not null,
  orders bigint not null,
  amount numeric(24, 2) not null,
  fee_amount numeric(24, 2) not null,
  buckets integer[] not null,
  counts integer[] not null`;

const sql = `
-- Like order_figures_by_hour, by 15 minutes of UTC.
create table order_figures_by_quarter (
  merchant_id text not null,
  starts_at timestamptz(3) not null,${figures},
  primary key (merchant_id, starts_at, country, kind, channel_id, status)
) with (fillfactor = 80);

-- The same sums, divided further: facet 'bank' has every ended order by its bank code, facet 'reason' those that failed by the reason.
${['quarter', 'hour', 'day']
  .map(
    (grain) => `
create table order_facets_by_${grain} (
  merchant_id text not null,
  facet text not null check (facet in ('bank', 'reason')),
  starts_at timestamptz(3) not null,
  value text not null,${figures},
  primary key (merchant_id, facet, starts_at, country, kind, channel_id, status, value)
) with (fillfactor = 80);`,
  )
  .join('')}

-- Transitions up to this moment are in there.
create table order_facets_progress (
  name text primary key check (name = 'facets'),
  until timestamptz(3) not null
);
insert into order_facets_progress values ('facets', '-infinity');
`;
