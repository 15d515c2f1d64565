import { merchantsOfTag, writeKeyUses } from '../../domain/src/configuration/queries.ts';
import type { Statement } from '../../domain/src/database/columns.ts';
import {
  backlogsOfHostSql,
  firstOfBacklogsSql,
  nextBacklogsSql,
  releaseResumedSql,
  releaseStrandedSql,
} from '../../domain/src/notifications/queries.ts';
import { dueWorkStatement } from '../../domain/src/orders/queries.ts';
import { dueWatchesStatement } from '../../domain/src/orders/watch/queries.ts';

// The statements of orders that are meant for more than one merchant. Every other one names its merchant.

/** Statements for the merchants of a batch, by their name or text, under the reason why they take many. */
export const ofBatches: Readonly<Record<string, readonly string[]>> = {
  'the ledger writer puts commands of many merchants into one transaction': [
    'lock-wallets',
    'lock-free-wallets',
    'stopped-payouts',
    'orders-by-key',
    'taken-order-nos',
    'payments-by-order',
    'transition-counts',
    'cases-by-no',
    'open-cases-by-order',
    'insert-orders',
    'update-orders',
    'insert-order_transition',
    'insert-wallet_entry',
    'insert-transfer',
    'insert-payment',
    'insert-ledger_batch',
    'insert-money_case',
    'insert-notification',
    'update-wallet',
  ],
  'claims and attempts of notifications that come together share a statement': [
    'claim-notifications',
    'claim-next-in-backlog',
    'wait-in-backlog',
    'record-attempts',
    'release-newer-notifications',
    firstOfBacklogsSql,
  ],
  'requests that come together share a read': ['orders-by-merchant-order-no', 'merchant-profiles', 'service-keys'],
  'records that nothing waits for are written for many orders at once': ['insert-channel-calls', writeKeyUses],
};

/** A statement that no merchant limits. */
export interface PlatformWide {
  /** Its name in the code, and in docs/developers/sharding.md. */
  name: string;
  /** What is sent: a prepared statement, or a text. */
  sent: Statement | string;
}

/** Each has its reason, how often it is sent, and what it costs in docs/developers/sharding.md. */
export const platformWide: readonly PlatformWide[] = [
  { name: 'due-work', sent: dueWorkStatement },
  { name: 'due-watches', sent: dueWatchesStatement },
  { name: 'releaseResumedSql', sent: releaseResumedSql },
  { name: 'releaseStrandedSql', sent: releaseStrandedSql },
  { name: 'nextBacklogsSql', sent: nextBacklogsSql },
  { name: 'backlogsOfHostSql', sent: backlogsOfHostSql },
  { name: 'merchants-of-tag', sent: merchantsOfTag },
];
