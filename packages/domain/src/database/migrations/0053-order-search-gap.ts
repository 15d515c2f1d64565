import { Migration } from '@mikro-orm/migrations';

/** Closes a gap of one millisecond at the beginning of the order search. */
export class OrderSearchGap extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- New orders are those after "until", and older ones those before "since". When both began at the same millisecond,
-- the orders of this millisecond were neither, and no search found them.
update order_search_progress set since = since + interval '1 millisecond' where since = until`;
