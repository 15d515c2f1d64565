export { FakeChannel } from './fake-channel.ts';
export {
  aMerchant,
  makeDue,
  makeExpired,
  openTestDomain,
  orderNow,
  type TestDomain,
  testSecret,
} from './open-test-domain.ts';
export { aFundedMerchant, rowCounts } from './payouts.ts';
