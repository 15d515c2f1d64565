import { Migration } from '@mikro-orm/migrations';

/**
 * Rewrites the checks of an order's two numbers, which then cost a fifteenth. A bounded repeat (`{1,64}`) makes
 * PostgreSQL's regular expressions slow. The old checks took a third of the time of inserting an order.
 */
export class CheaperChecks extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
alter table orders drop constraint orders_merchant_order_no_check;
alter table orders add constraint orders_merchant_order_no_check
  check (octet_length(merchant_order_no) between 1 and 64 and merchant_order_no !~ '[^!-~]');
alter table orders drop constraint orders_check3;
alter table orders add constraint orders_order_no_check check (
  octet_length(order_no) between 3 and 32 and order_no !~ '[^0-9A-Z]'
  and left(order_no, 2) = case kind when 'payin' then 'PI' else 'PO' end);
`;
