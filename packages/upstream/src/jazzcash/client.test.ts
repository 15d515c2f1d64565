import { channelContract } from '../channel-contract.ts';
import type { ModeSubject } from '../testing/contract-subject.ts';
import { notificationLifetimeMs } from './callback.ts';
import { jazzcash } from './index.ts';
import { openJazzCashFixture } from './testing/open-jazzcash.ts';

const mode: ModeSubject = {
  modeOf: jazzcash.modeOf,
  offers: jazzcash.offers,
  cases: {
    live: {
      'the classic gateway': { baseUrl: 'https://payments.jazzcash.com.pk', credentials: { merchantId: 'MC1' } },
    },
    test: { 'the classic gateway for tests': { baseUrl: 'https://sandbox.jazzcash.com.pk', credentials: {} } },
    unknown: {
      'the orchestrator, which both kinds of account use': {
        baseUrl: 'https://onlinepayments.jazzcash.com.pk',
        credentials: { merchantId: 'MC1' },
      },
    },
  },
};

channelContract('jazzcash', mode, async () => {
  const fixture = await openJazzCashFixture();
  const amounts = { stays_open: '80.01', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: fixture.url,
    channelAt: (baseUrl) => fixture.channelAt(baseUrl),
    orderThat: (fate) => fixture.order({ amount: amounts[fate] }),
    async paymentsUpstream(orderNo) {
      const transaction = await fixture.transaction(orderNo);
      const paidCode = '121';
      return transaction && (transaction.code === paidCode ? 1 : 0);
    },
    callbacks: (orderNo) => fixture.callbacks(orderNo),
    // JazzCash signs answers in a field of the body, not in headers. So no header makes a bad reply genuine.
    proveReply: () => ({}),
    searchesBeforeRepeating: true,
    callbacksOnlyAsk: true,
    provesCallbacksInBody: true,
    cannotClose: true,
    callbackLifetimeMs: notificationLifetimeMs,
    tearDown: () => fixture.close(),
  };
});
