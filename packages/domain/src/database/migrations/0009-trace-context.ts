import { Migration } from '@mikro-orm/migrations';

/** The span in which a row was written, so that whoever works on it later goes on with the same trace. Null where nothing is traced. */
export class TraceContext extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

// W3C traceparent. Not checked here: it costs every order something, and who reads it takes what is none for nothing.
const sql = `
alter table orders add column traceparent text;
alter table notification add column traceparent text;
`;
