import { channelContract } from '../channel-contract.ts';
import type { ModeSubject } from '../testing/contract-subject.ts';
import { recordsOf } from './fake/context.ts';
import { razorpay } from './index.ts';
import { openFixture } from './testing/open-fixture.ts';

const host = 'https://api.razorpay.com';
const mode: ModeSubject = {
  modeOf: razorpay.modeOf,
  offers: razorpay.offers,
  cases: {
    live: {
      'a live key': { baseUrl: host, credentials: { keyId: 'rzp_live_ILgsfZCZoFIKMb' } },
      'two live keys': {
        baseUrl: host,
        credentials: { keyId: 'rzp_live_ILgsfZCZoFIKMb', payoutKeyId: 'rzp_live_JXY38FKBUmk51n' },
      },
    },
    test: {
      'a test key': { baseUrl: host, credentials: { keyId: 'rzp_test_1DP5mmOlF5G5ag' } },
      'a test key at a fake': { baseUrl: 'http://127.0.0.1:9', credentials: { keyId: 'rzp_test_1DP5mmOlF5G5ag' } },
    },
    mixed: {
      'payins in test mode and live payouts': {
        baseUrl: host,
        credentials: { keyId: 'rzp_test_1DP5mmOlF5G5ag', payoutKeyId: 'rzp_live_JXY38FKBUmk51n' },
      },
      'live payins and payouts in test mode': {
        baseUrl: host,
        credentials: { keyId: 'rzp_live_ILgsfZCZoFIKMb', payoutKeyId: 'rzp_test_1DP5mmOlF5G5ag' },
      },
    },
    unknown: { 'a key of another form': { baseUrl: host, credentials: { keyId: 'rzp_other_1' } } },
  },
};

channelContract('razorpay', mode, async () => {
  const fixture = await openFixture();
  const amounts = { stays_open: '80.01', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: fixture.url,
    channelAt: (baseUrl) => fixture.channelAt(baseUrl),
    orderThat: (fate) => fixture.order({ amount: amounts[fate] }),
    async paymentsUpstream(orderNo) {
      const links = recordsOf(fixture.context, 'link').filter(({ reference }) => reference === orderNo);
      const ids = links.map(({ id }) => id);
      const paid = recordsOf(fixture.context, 'payment').filter((one) => ids.includes(one.linkId));
      return links.length === 0 ? undefined : paid.length;
    },
    callbacks: (orderNo) => fixture.webhooks(orderNo),
    proveReply: () => ({}),
    searchesBeforeRepeating: true,
    callbacksOnlyAsk: true,
    callbackLifetimeMs: 16 * 24 * 3_600_000,
    tearDown: () => fixture.close(),
  };
});
