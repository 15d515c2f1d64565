import { Migration } from '@mikro-orm/migrations';

/**
 * The day up to which the schedule has drafted settlements (ADR 0022). The previous version drafts only by hand, and
 * does not read it.
 */
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
