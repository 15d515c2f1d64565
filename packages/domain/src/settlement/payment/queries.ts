import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsAs } from '../../database/columns.ts';
import { SettlementRow } from '../../database/entities/settlement.ts';

/** A settlement that a channel pays, with the sealed account of its payee and the country. Parameters: $1 merchant, $2 its number at the channel. */
export const paymentSql = (orm: MikroORM): string =>
  `select ${columnsAs(orm, SettlementRow, { alias: 't', prefix: '' }).text}, a.sealed, m.country
    from settlement t join merchant m on m.merchant_id = t.merchant_id
    join settlement_account a on a.merchant_id = t.merchant_id and a.account_id = t.account_id
    where t.merchant_id = $1 and t.payment_no = $2`;

/** How many payments have had no definite answer for $1 ms, counted up to $2. */
export const stuckSql = `select count(*)::integer as count from (select from settlement where state = 'paid' and next_action_at is not null
  and paid_at < clock_timestamp() - $1::float8 * interval '1 ms' limit $2) t`;
