import { merchantOf } from '../../core/commands.ts';
import { maySendMoney } from '../../core/payout-stop.ts';
import { stoppedPayoutsStatement } from '../payout-stops/queries.ts';
import { type LedgerRecord, readByKeys } from './record.ts';

const queries = () => ({ stoppedPayouts: stoppedPayoutsStatement });

/** The merchants whose payouts are stopped, of those whose commands may send money. */
export const stops = {
  queries,
  async load({ client, sql }, commands) {
    const sending = [...new Set(commands.filter(maySendMoney).map(merchantOf))];
    const found = await readByKeys<{ merchantId: string }>(client, sql.stoppedPayouts, [sending]);
    return new Map(found.map(({ merchantId }) => [merchantId, true as const]));
  },
  state: (known, command) => ({ payoutsStopped: known.has(merchantOf(command)) }),
} satisfies LedgerRecord<true, ReturnType<typeof queries>>;
