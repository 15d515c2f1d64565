import { Migration } from '@mikro-orm/migrations';

/** What adapters keep between calls, e.g. a provider's ids of beneficiaries. */
export class ChannelMemoryTable extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table channel_memory (
  channel_id text not null references channel,
  -- Contains no personal data: adapters use a keyed hash.
  key text not null check (char_length(key) between 1 and 200),
  value text not null check (char_length(value) between 1 and 1000),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (channel_id, key)
);
`;
