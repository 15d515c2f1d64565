import { channelContract } from '../channel-contract.ts';
import { openFake } from './testing/open-fake.ts';

channelContract('alipay', async () => {
  const opened = await openFake();
  const amounts = { stays_open: '80.01', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: opened.fake.url,
    channelAt: opened.channelAt,
    orderThat: (fate) => opened.order({ amount: amounts[fate] }),
    async paymentsUpstream(orderNo) {
      const trade = opened.fake.trade(orderNo);
      return trade && (trade.paidAt === null ? 0 : 1);
    },
    callbacks: opened.callbacks,
    proveReply: () => ({}),
    // A create that is repeated after the payment queries the trade.
    searchesBeforeRepeating: true,
    provesCallbacksInBody: true,
    callbackLifetimeMs: 26 * 3_600_000,
    tearDown: opened.close,
  };
});
