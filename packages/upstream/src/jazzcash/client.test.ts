import { channelContract } from '../channel-contract.ts';
import { notificationLifetimeMs } from './callback.ts';
import { openJazzCashFixture } from './testing/open-jazzcash.ts';

channelContract('jazzcash', async () => {
  const fixture = await openJazzCashFixture();
  const amounts = { stays_open: '80.01', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: fixture.url,
    channelAt: (baseUrl) => fixture.channelAt(baseUrl),
    orderThat: (fate) => fixture.order({ amount: amounts[fate] }),
    async paymentsUpstream(orderNo) {
      const found = await fixture.transaction(orderNo);
      return found && (found.code === '121' ? 1 : 0);
    },
    callbacks: (orderNo) => fixture.callbacks(orderNo),
    // JazzCash proves an answer by a field of it, so an answer without fields proves nothing.
    proveReply: () => ({}),
    searchesBeforeRepeating: true,
    callbacksOnlyAsk: true,
    provesCallbacksInBody: true,
    cannotClose: true,
    callbackLifetimeMs: notificationLifetimeMs,
    tearDown: () => fixture.close(),
  };
});
