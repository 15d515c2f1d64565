import {
  type FakeOptions,
  openFakeServer,
  openStore,
  type ProviderFake,
  type RunningFake,
} from '../../fake-provider/index.ts';
import { addChargeRoutes } from './charge-routes.ts';
import { addControls } from './controls.ts';
import { addOtherRoutes } from './other-routes.ts';
import { startPayer } from './payer.ts';
import { OpnError, sendError } from './requests.ts';
import { newSecrets, type OpnAccountSecrets, type OpnState, type StoredCharge } from './state.ts';
import { addTransactionRoutes } from './transaction-routes.ts';

/** Opn Payments as its public documentation describes it, for one account in test mode. */
export const opnFake: ProviderFake = {
  provider: 'opn',
  carries: [{ country: 'TH', kind: 'payin' }],
  makeAccount() {
    const secrets = newSecrets();
    const { secretKey, webhookSecret } = secrets;
    return { credentials: { secretKey, webhookSecret }, account: { ...secrets } };
  },
  start,
};

async function start(options: FakeOptions): Promise<RunningFake> {
  const server = openFakeServer(options);
  const account = readAccount(options.account);
  const state: OpnState = {
    server,
    account,
    webhookUrl: options.webhookUrl,
    sources: new Map(),
    isLive: !account.secretKey.startsWith('skey_test_'),
    charges: openStore<StoredCharge>(options.stateFile),
    controls: { previousSecret: null, searchLagMs: 0, answerNextAfter: null, givesQrText: false },
  };
  server.app.setErrorHandler((error, _request, reply) => {
    if (error instanceof OpnError) return sendError(reply, error);
    return sendError(reply, new OpnError(500, 'internal_error', 'internal error'));
  });
  server.app.setNotFoundHandler((_request, reply) => sendError(reply, new OpnError(404, 'not_found', 'not found')));
  addChargeRoutes(state);
  addOtherRoutes(state);
  addTransactionRoutes(state);
  addControls(state);
  await server.listen();
  for (const charge of state.charges.all()) if (charge.status === 'pending') startPayer(state, charge);
  return { url: server.url(), close: () => server.close(state.charges) };
}

function readAccount(account: Record<string, string>): OpnAccountSecrets {
  const read = (name: keyof OpnAccountSecrets): string => {
    const value = account[name];
    if (!value) throw new Error(`the account of the fake lacks ${name}`);
    return value;
  };
  return {
    secretKey: read('secretKey'),
    publicKey: read('publicKey'),
    webhookSecret: read('webhookSecret'),
    accountId: read('accountId'),
  };
}
