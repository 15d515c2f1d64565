import { Migration } from '@mikro-orm/migrations';

/** Up to which day the cycles of merchants were drafted by schedule (ADR 0022). The version before drafts by hand alone, and does not read it. */
export class SettlementRuns extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table settlement_run (
  merchant_id text primary key references merchant,
  -- The newest day of its cycle that was drafted or begun. Of a new cycle: the day on which the schedule first saw it.
  day date not null,
  -- failed: it is tried again. running: its process may have died.
  state text not null check (state in ('running', 'done', 'failed')),
  attempts integer not null default 0,
  -- When another process may try it, if it is not done.
  next_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 70);
`;
