import { channelContract } from '../channel-contract.ts';
import type { ModeSubject } from '../testing/contract-subject.ts';
import { opn } from './index.ts';
import { openOpn } from './testing/open-opn.ts';

const mode: ModeSubject = {
  modeOf: opn.modeOf,
  offers: opn.offers,
  cases: {
    live: { 'a live key': { baseUrl: 'https://api.omise.co', credentials: { secretKey: 'skey_5xs68olyuul9lmmp375' } } },
    test: {
      'a test key': { baseUrl: 'https://api.omise.co', credentials: { secretKey: 'skey_test_4xs68olyuul9lmmp375' } },
      'a test key at a fake': {
        baseUrl: 'http://127.0.0.1:9',
        credentials: { secretKey: 'skey_test_4xs68olyuul9lmmp' },
      },
    },
    unknown: {
      'a live key at another host': {
        baseUrl: 'https://proxy.example',
        credentials: { secretKey: 'skey_5xs68olyuul9lmmp375' },
      },
    },
  },
};

channelContract('opn', mode, async () => {
  const setup = await openOpn();
  const amounts = { stays_open: '80.01', is_paid: '80.00', is_refused: '80.11' };
  return {
    url: setup.url,
    channelAt: (baseUrl) => setup.channelAt(baseUrl),
    orderThat: (fate) => setup.order({ amount: amounts[fate] }),
    async paymentsUpstream(orderNo) {
      const charges = await setup.charges(orderNo);
      return charges.length === 0 ? undefined : charges.filter(({ status }) => status === 'successful').length;
    },
    callbacks: (orderNo) => setup.webhooks(orderNo),
    // Replies are not signed: TLS proves who sent them.
    proveReply: () => ({}),
    searchesBeforeRepeating: true,
    callbacksOnlyAsk: true,
    tearDown: () => setup.close(),
  };
});
