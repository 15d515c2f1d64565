import type pg from 'pg';
import type { Statements } from '../ledger/queries.ts';

/** A transaction that has begun, as `openLockingPool` sees it. */
export interface LockingTransaction {
  /** The wallets that it wants, sorted. */
  wanted: readonly string[];
  /** Those that it has locked. */
  locked: readonly string[];
  /** It waits for locked wallets, and does not skip them. */
  waits: boolean;
}

/**
 * A pool for the ledger writer without a database: it has nothing but locks of wallets, and every merchant has an empty one.
 * So commands are only right in tests about the order of transactions. `beforeCommit` is awaited
 * before a transaction commits, `rolledBack` is called after one has rolled back.
 */
export function openLockingPool({
  beforeCommit = () => undefined,
  rolledBack = () => undefined,
}: {
  beforeCommit?: (transaction: LockingTransaction) => unknown;
  rolledBack?: (transaction: LockingTransaction) => void;
} = {}) {
  /** Wallets that are locked, by a transaction or by `hold`. */
  const locked = new Set<string>();
  const begun: LockingTransaction[] = [];
  let freed: (() => void)[] = [];
  const free = (merchantIds: readonly string[]): void => {
    for (const merchantId of merchantIds) locked.delete(merchantId);
    for (const again of freed.splice(0)) again();
  };
  const waitFor = async (merchantId: string, until: number): Promise<void> => {
    while (locked.has(merchantId)) {
      const left = until - performance.now();
      if (left <= 0) throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
      const { promise, resolve } = Promise.withResolvers<void>();
      freed.push(resolve);
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
      freed = freed.filter((one) => one !== resolve);
    }
  };

  const connect = async () => {
    let own: string[] = [];
    let lockMs = 0;
    let transaction: LockingTransaction | null = null;
    const lock = async (wanted: readonly string[], waits: boolean): Promise<void> => {
      transaction = { wanted, locked: own, waits };
      begun.push(transaction);
      for (const merchantId of wanted) {
        if (waits) await waitFor(merchantId, performance.now() + lockMs);
        if (locked.has(merchantId)) continue;
        locked.add(merchantId);
        own.push(merchantId);
      }
    };
    const query = async (statement: string | { name: string; values: unknown[] }) => {
      if (typeof statement !== 'string') {
        if (statement.name !== 'lockWallets' && statement.name !== 'lockFreeWallets') return { rows: [] };
        await lock(statement.values[0] as string[], statement.name === 'lockWallets');
        return { rows: own.map(anEmptyWallet) };
      }
      lockMs = Number(/lock_timeout = (\d+)/.exec(statement)?.[1] ?? lockMs);
      if (statement !== 'commit' && statement !== 'rollback') return { rows: [] };
      if (transaction && statement === 'commit') await beforeCommit(transaction);
      free(own);
      own = [];
      if (transaction && statement === 'rollback') rolledBack(transaction);
      return { rows: [], command: statement.toUpperCase() };
    };
    return { query, release: () => undefined };
  };
  return {
    pool: { connect } as unknown as pg.Pool,
    /** The statements of the ledger writer have only their names here. */
    sql: new Proxy({}, { get: (_, name) => ({ name, text: '', valuesOf: () => [] }) }) as unknown as Statements,
    /** The transactions so far, in the order in which they asked for wallets. */
    begun,
    /** Locks wallets, as another session would. Returns the function that frees them. */
    hold: (...merchantIds: string[]) => {
      for (const merchantId of merchantIds) locked.add(merchantId);
      return () => free(merchantIds);
    },
  };
}

const anEmptyWallet = (merchantId: string) => ({
  merchantId,
  currency: 'INR',
  available: '0.00',
  frozen: '0.00',
  lastEntryNo: 0,
  lastTransferNo: 0,
  lastCaseNo: 0,
  lastAuditNo: 0,
  now: 1,
});
