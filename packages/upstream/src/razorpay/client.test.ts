import { channelContract } from '../channel-contract.ts';
import { recordsOf } from './fake/context.ts';
import { openFixture } from './testing/open-fixture.ts';

channelContract('razorpay', async () => {
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
