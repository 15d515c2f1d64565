/**
 * Holds back what the channel $1 was said to have received for the merchants $2, the amounts $3. Money that was released
 * before stays released. Repeating it with a greater amount holds back the difference.
 */
export const withholdSql = `insert into withheld_money as w (merchant_id, channel_id, amount)
  select m, $1, a from unnest($2::text[], $3::numeric[]) as k(m, a) order by 1
  on conflict (merchant_id, channel_id) do update set amount = greatest(w.amount, excluded.amount), changed_at = clock_timestamp()
  returning merchant_id as "merchantId", (amount - released)::text as withheld`;

/** Releases $3 of what is withheld of the channel $2 for the merchant $1. No row: less is withheld. */
export const releaseSql = `update withheld_money set released = released + $3::numeric, changed_at = clock_timestamp()
  where merchant_id = $1 and channel_id = $2 and released + $3::numeric <= amount
  returning (amount - released)::text as withheld`;

/** Sums in the wallets of the merchants $1 what is withheld of all channels. Runs under the locks of the wallets. */
export const sumWithheldSql = `update wallet w set withheld = s.withheld
  from (select merchant_id, sum(amount - released) as withheld from withheld_money where merchant_id = any($1::text[]) group by 1) s
  where w.merchant_id = s.merchant_id`;

/** From now on the money of the channel $1 is withheld, from the first merchant on. */
export const beginWithholdingSql = `insert into money_withholding (channel_id) values ($1)
  on conflict (channel_id) do update set through_merchant = '', began_at = clock_timestamp(), ended_at = null`;

/** The money of the channel $1 is withheld for all merchants up to $2. $3: for all there are. */
export const goOnWithholdingSql = `update money_withholding set through_merchant = $2, ended_at = case when $3 then clock_timestamp() end
  where channel_id = $1`;

/** The next $2 merchants after $1. */
export const nextMerchantsSql =
  'select merchant_id as "merchantId" from merchant where merchant_id > $1 order by merchant_id limit $2';
