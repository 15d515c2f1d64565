import type { PoolClient } from 'pg';
import { type Command, merchantOf, otherMerchantOf } from '../../core/commands.ts';
import type { Wallet } from '../../core/wallet.ts';
import { millis } from '../../database/columns.ts';
import { WalletRow, walletChanges } from '../../database/entities/ledger.ts';
import { run } from '../../database/run-statement.ts';
import { type ColumnsOf, selectList, update } from './queries.ts';
import type { LedgerRecord, Reader } from './record.ts';

/**
 * The first moment that no roll-up has behind it: none looks for rows from before. Each keeps its progress in one row. After the clock stepped back
 * this is later than now.
 */
const passedSql = `(select greatest(f.until, c.until, s.until, w.until) + interval '1 ms'
  from order_figures_progress f, order_facets_progress c, order_search_progress s, order_watch_progress w
  where f.name = 'orders' and c.name = 'facets' and s.name = 'orders' and w.name = 'orders')`;

function queries(columns: ColumnsOf) {
  const all = columns(WalletRow);
  const recordedAt = millis(`greatest(t.recorded_at, ${passedSql})`);
  const list = selectList(all.filter(({ property }) => property !== 'recordedAt'));
  const lockWallets = `select ${list}, ${recordedAt} as "recordedAt", ${millis('clock_timestamp()')} as "now" from wallet t
    where merchant_id = any($1::text[]) order by merchant_id`;
  return {
    lockWallets: { name: 'lock-wallets', text: `${lockWallets} for update` },
    /** Leaves out the wallets that another session holds, instead of waiting for them. */
    lockFreeWallets: { name: 'lock-free-wallets', text: `${lockWallets} for update skip locked` },
    updateWallets: update<Wallet>('wallet', all, walletChanges),
  };
}

/** The wallets of merchants. Whoever writes rows of a merchant holds its wallet. */
export const wallets = {
  queries,
  state(known, command) {
    const other = otherMerchantOf(command);
    return { otherWallet: (other !== null && known.get(other)) || null };
  },
  keep(known, _, { state: { wallet, otherWallet } }) {
    known.set(wallet.merchantId, wallet);
    if (otherWallet) known.set(otherWallet.merchantId, otherWallet);
  },
} satisfies LedgerRecord<Wallet, ReturnType<typeof queries>>;

/**
 * Locks the wallets of all merchants whose rows the commands write, in sorted order. `skipHeld`: without those that
 * another session holds. `now`: the database's clock when the last one was locked.
 */
export async function lockWallets(
  { client, sql }: Reader<ReturnType<typeof queries>>,
  commands: readonly Command[],
  skipHeld: boolean,
): Promise<{ now: number; wallets: Map<string, Wallet> }> {
  const others = commands.map(otherMerchantOf).filter((other) => other !== null);
  const merchants = [...new Set([...commands.map(merchantOf), ...others])].sort();
  const found = await readLocked(client, skipHeld ? sql.lockFreeWallets : sql.lockWallets, merchants);
  return {
    now: Math.max(0, ...found.map(({ now }) => now)),
    wallets: new Map(found.map(({ now: _, ...wallet }) => [wallet.merchantId, wallet])),
  };
}

const readLocked = (client: PoolClient, query: { name: string; text: string }, merchants: readonly string[]) =>
  run<Wallet & { now: number }>(client, query, [merchants]);

/** A merchant whose wallet the command needs and the batch could not lock. */
export function missingWallet(known: ReadonlyMap<string, Wallet>, command: Command): string | null {
  const merchantId = merchantOf(command);
  if (!known.has(merchantId)) return merchantId;
  const other = otherMerchantOf(command);
  return other === null || known.has(other) ? null : other;
}
