export { FakeChannel } from './fake-channel.ts';
export { jsonLines } from './json-lines.ts';
export { type TestKeyPair, takeKeyPair } from './key-pool.ts';
export { aBacklogOf, aNotification, aNotificationOf, factsOf } from './notifications.ts';
export {
  aMerchant,
  makeDue,
  makeExpired,
  openTestDomain,
  orderNow,
  type TestDomain,
  testSecret,
} from './open-test-domain.ts';
export { placePayin } from './payins.ts';
export { aFundedMerchant, placePayout, rowCounts } from './payouts.ts';
export { makeFindable } from './searchable-orders.ts';
export { makeCommonKey } from './service-keys.ts';
export { aCycle, anAccount, closeDays, happenedAt, knowAll, runSettlements } from './settlements.ts';
export { aDraft } from './settlements-on-paper.ts';
export { aJpeg, aPdf, aPng } from './small-files.ts';
export { aLine, anImport, dayAgo, moveLedgerBack, reconcileAll, statementText } from './statements.ts';
export { reachOfStatement, tablesOfMerchants, type WatchedStatements, watchStatements } from './watch-statements.ts';
