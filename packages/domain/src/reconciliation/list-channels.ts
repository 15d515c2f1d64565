import type { Database } from '../database/database.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import type { ReconciledChannel } from './days/set-reconciliation.ts';

/** The reconciliation settings of a channel in a country. `merchantId`: the platform's tenant of the country. */
export interface ChannelReconciliation extends ReconciledChannel {
  merchantId: string;
  channelId: string;
}

/** The reconciliation settings of these channels: one entry for each country within the scope. */
export async function loadChannelReconciliations(
  { database }: { database: Database },
  scope: Scope,
  channelIds: readonly string[],
): Promise<ChannelReconciliation[][]> {
  const { values, add } = collectValues();
  const conditions = whereAll([
    `t.channel_id = any(${add(channelIds)}::text[])`,
    ...withinScope(scope, 't.merchant_id', add),
  ]);
  const { rows } = await database.reading.query<ChannelReconciliation & object>(
    `select t.merchant_id as "merchantId", t.channel_id as "channelId", t.begins_on::text as "beginsOn", t.tolerance::text as tolerance, t.account, t.fetches
     from reconciled_channel t ${conditions} order by t.channel_id, t.merchant_id`,
    values,
  );
  return channelIds.map((channelId) => rows.filter((row) => row.channelId === channelId));
}

/** Whether statements of a channel are compared with the ledger in the country of a merchant. */
export async function isReconciled(
  { database }: { database: Database },
  merchantId: string,
  channelId: string,
): Promise<boolean> {
  const { rows } = await database.pool.query(
    `select from merchant m join reconciled_channel c on c.merchant_id = 'PLATFORM-' || m.country
     where m.merchant_id = $1 and c.channel_id = $2`,
    [merchantId, channelId],
  );
  return rows.length > 0;
}
