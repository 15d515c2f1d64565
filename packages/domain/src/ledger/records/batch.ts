import { type BatchRows, type LedgerBatch, ledgerBatch } from '../../core/ledger-batch.ts';
import { nextBatchNo, type Wallet } from '../../core/wallet.ts';
import { LedgerBatchRow } from '../../database/entities/ledger.ts';
import { type ColumnsOf, insert } from './queries.ts';
import type { LedgerRecord } from './record.ts';

const queries = (columns: ColumnsOf) => ({ insertBatches: insert('ledger_batch', columns(LedgerBatchRow)) });

/** The links of merchants' ledger chains: one for each merchant that got rows in a transaction. */
export const batches = { queries } satisfies LedgerRecord<never, ReturnType<typeof queries>>;

/**
 * Adds a link to each merchant's ledger chain that covers the transaction's rows, and updates the wallets. The
 * transaction holds the wallets' rows, so no other can add a link meanwhile.
 */
export function chainAdditions(wallets: Map<string, Wallet>, added: BatchRows): LedgerBatch[] {
  const rows = {
    orders: Map.groupBy(added.orders, merchantIdOf),
    transitions: Map.groupBy(added.transitions, merchantIdOf),
    payments: Map.groupBy(added.payments, merchantIdOf),
    cases: Map.groupBy(added.cases, merchantIdOf),
    entries: Map.groupBy(added.entries, merchantIdOf),
    transfers: Map.groupBy(added.transfers, merchantIdOf),
    decisions: Map.groupBy(added.decisions, merchantIdOf),
  };
  const merchants = new Set(Object.values(rows).flatMap((byMerchant) => [...byMerchant.keys()]));
  return [...merchants].map((merchantId) => {
    const wallet = wallets.get(merchantId);
    if (!wallet) throw new Error(`merchant ${merchantId} has no wallet`);
    const link = {
      merchantId,
      batchNo: nextBatchNo(wallet),
      previousHash: wallet.lastBatchHash,
      at: wallet.recordedAt,
    };
    const batch = ledgerBatch(link, {
      orders: rows.orders.get(merchantId) ?? [],
      transitions: rows.transitions.get(merchantId) ?? [],
      payments: rows.payments.get(merchantId) ?? [],
      cases: rows.cases.get(merchantId) ?? [],
      entries: rows.entries.get(merchantId) ?? [],
      transfers: rows.transfers.get(merchantId) ?? [],
      decisions: rows.decisions.get(merchantId) ?? [],
    });
    wallets.set(merchantId, { ...wallet, lastBatchNo: batch.batchNo, lastBatchHash: batch.hash });
    return batch;
  });
}

const merchantIdOf = ({ merchantId }: { merchantId: string }): string => merchantId;
