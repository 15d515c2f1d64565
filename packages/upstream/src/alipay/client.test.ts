import { channelContract } from '../channel-contract.ts';
import type { ModeSubject } from '../testing/contract-subject.ts';
import { alipay } from './index.ts';
import { openFake } from './testing/open-fake.ts';

const mode: ModeSubject = {
  modeOf: alipay.modeOf,
  offers: alipay.offers,
  cases: {
    live: {
      'the gateway': { baseUrl: 'https://openapi.alipay.com/gateway.do', credentials: { appId: '2021001100000000' } },
    },
    test: {
      'the gateway of the sandbox': {
        baseUrl: 'https://openapi-sandbox.dl.alipaydev.com/gateway.do',
        credentials: { appId: '9021000139678164' },
      },
      'the older sandbox': { baseUrl: 'https://openapi.alipaydev.com/gateway.do', credentials: {} },
    },
    mixed: {
      'an application of the sandbox at the gateway': {
        baseUrl: 'https://openapi.alipay.com/gateway.do',
        credentials: { appId: '9021000139678164' },
      },
    },
    unknown: { 'another host': { baseUrl: 'https://proxy.example/gateway.do', credentials: {} } },
  },
};

channelContract('alipay', mode, async () => {
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
