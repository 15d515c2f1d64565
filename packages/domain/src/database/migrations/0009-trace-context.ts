import { Migration } from '@mikro-orm/migrations';

/** The span that wrote a row, so that later work on the row joins the same trace. Null without tracing. */
export class TraceContext extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

// W3C traceparent. There is no check, because it would slow down every order. Readers ignore an invalid value.
const sql = `
alter table orders add column traceparent text;
alter table notification add column traceparent text;
`;
