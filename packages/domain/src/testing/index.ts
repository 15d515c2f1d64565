// Helpers of tests, in this and other packages. `a…` and `an…` build an example: with a domain it is stored too, without
// one it is only a value. `place…` stores an order. `make…`, `move…` and `backdate…` change stored rows.

// A domain on a test database, its merchants, and orders at a chosen point of their life:

export { bareAdapter } from './bare-adapter.ts';
export { FakeChannel } from './fake-channel.ts';
export { testKeys, testKeysOf, testRing } from './keys.ts';
export {
  aMerchant,
  makeDue,
  makeExpired,
  openTestDomain,
  orderNow,
  type TestDomain,
} from './open-test-domain.ts';
export { placePayin } from './payins.ts';
export { aFundedMerchant, placePayout, rowCounts } from './payouts.ts';
export { makeProductionDatabase } from './production-database.ts';
export { makeFindable } from './searchable-orders.ts';

// Notifications to merchants, and keys that sign:

export { keepKeyPair, type TestKeyPair, takeKeyPair } from './key-pool.ts';
export { aBacklogOf, aNotification, aNotificationOf, factsOf } from './notifications.ts';

// Settlements: when wallet entries were made, which days are closed, and drafts:

export {
  aCycle,
  anAccount,
  closeDays,
  letReconciliationKnowAll,
  moveEntriesTo,
  runSettlements,
} from './settlements.ts';
export { aDraft } from './settlements-on-paper.ts';

// Statements of channels, and their reconciliation with the ledger:

export { aCsv, aProfile } from './csv-profiles.ts';
export { aLine, anImport, backdateLedger, dayAgo, reconcileAll, statementText } from './statements.ts';

// Shares of pools:

export { type AskPool, tryGreedyAndNine } from './greedy-and-nine.ts';

// Files and log lines:

export { jsonLines } from './json-lines.ts';
export { aJpeg, aPdf, aPng } from './small-files.ts';

// Which tables the SQL of the service reads or writes, and of how many merchants:

export {
  tablesOfMerchants,
  tablesReadByStatement,
  type WatchedStatements,
  watchStatements,
} from './watch-statements.ts';
