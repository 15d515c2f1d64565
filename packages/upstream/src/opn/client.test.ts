import { channelContract } from '../channel-contract.ts';
import { openOpn } from './testing/open-opn.ts';

channelContract('opn', async () => {
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
