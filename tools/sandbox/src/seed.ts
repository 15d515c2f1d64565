import { countryDefinitions, type Domain, isSandbox, openDomain } from '@tidegate/domain';
import {
  addMerchantKey,
  addOperatorToken,
  bookWallet,
  createMerchant,
  createOperator,
  generateServiceKey,
  type KeyPair,
  listServiceKeys,
  mapBank,
  markAsSandbox,
  migrateDatabase,
  setChannel,
  setChannelEnabled,
  setFeeRule,
  setRoute,
} from '@tidegate/domain/admin';
import { adaptersFor } from '@tidegate/upstream';
import { UsageError } from './configuration.ts';
import { type DemoKeys, demoKeys } from './demo-keys.ts';
import { providerNames } from './provider-names.ts';
import type { DemoMerchant, SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';

/** The demo merchants in the order of sandbox.json: first one merchant of each country, then the second ones. */
const demoMerchants = [0, 1].flatMap((nth) =>
  countryDefinitions.flatMap(({ code, currency, demo }) => {
    const merchant = demo.merchants[nth];
    return merchant ? [{ ...merchant, country: code, currency }] : [];
  }),
);

const openingBalance = '1000000.00';
const allRoles = ['viewer', 'support', 'operator', 'finance', 'admin'] as const;

/** Migrates the database and adds missing demo merchants. Changes that operators made are kept. */
export async function prepareDatabase(environment: SandboxEnvironment): Promise<SeededSandbox> {
  const { databaseUrl, keys: ring } = environment;
  await migrateDatabase(databaseUrl);
  const keys = demoKeys(
    environment.dataDir,
    demoMerchants.map((merchant) => merchant.merchantNo),
  );
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const domain = await openDomain({
    databaseUrl,
    keys: ring,
    // They say which process needs which credential of a channel.
    adapters: adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter: { take: async () => true } }),
    publicBaseUrl: environment.urls.rest,
    wakeUp: () => undefined,
    log,
  });
  try {
    await refuseUnknownNames(domain);
    await markAsSandbox(domain);
    await prepareChannels(domain, environment);
    const generated = demoMerchants.map((merchant) => ({ merchant, pair: generateServiceKey() }));
    for (const { merchant, pair } of generated)
      await prepareMerchant(domain, environment, merchant, { ...keys, pair: await pair });
    await prepareProviders(domain, environment);
    await prepareOperators(domain, keys);
    return {
      adminToken: keys.adminToken,
      approverToken: keys.approverToken,
      supportToken: keys.supportToken,
      merchants: await listed(domain, keys),
    };
  } finally {
    await domain.close();
  }
}

/** Refuses a user's own database. With demo keys in it, it could never be used for production. */
async function refuseUnknownNames(domain: Domain): Promise<void> {
  if (await isSandbox(domain)) return;
  const { rows } = await domain.database.pool.query<{ merchantId: string }>(
    `select merchant_id as "merchantId" from merchant
     where not merchant_id = any($1) and merchant_id !~ '^PLATFORM' order by merchant_id limit 1`,
    [demoMerchants.map(({ merchantNo }) => merchantNo)],
  );
  const [foreignMerchant] = rows;
  if (foreignMerchant)
    throw new UsageError(
      `DATABASE_URL names a database that no sandbox has made: it has the merchant ${foreignMerchant.merchantId}. ` +
        'npm start would put demo merchants and their keys into it: name an empty database, or none.',
    );
}

/** Sets the channels at every start, because the upstream's address and secret may have changed. */
async function prepareChannels(domain: Domain, environment: SandboxEnvironment): Promise<void> {
  const credentials = { secret: environment.upstreamSecret };
  await setChannel(domain, {
    channelId: 'sandbox',
    adapter: 'sandbox',
    baseUrl: environment.urls.upstream,
    credentials,
  });
  await setChannel(domain, { channelId: 'market', adapter: 'market', baseUrl: '', credentials: {} });
  for (const { bankCodes } of countryDefinitions.map(({ demo }) => demo)) {
    for (const bankCode of bankCodes.payout)
      for (const channelId of ['sandbox', 'market'])
        await mapBank(domain, { channelId, kind: 'payout', bankCode, channelBankCode: bankCode });
    for (const bankCode of bankCodes.payin)
      await mapBank(domain, { channelId: 'sandbox', kind: 'payin', bankCode, channelBankCode: bankCode });
  }
}

/** Numbers of the routes to providers. With priority 1 they come before the routes to the sandbox channel. */
const providerRoutes = { payin: 11, payout: 12 } as const;

/**
 * Sets up the channels of `--channels`. Orders of the last demo merchant of a country then go to its provider.
 * Providers of an earlier start are disabled, so that these orders go to the sandbox channel again.
 */
async function prepareProviders(domain: Domain, { channels }: SandboxEnvironment): Promise<void> {
  for (const provider of providerNames)
    if (!channels.some(({ channelId }) => channelId === provider)) await setChannelEnabled(domain, provider, false);
  for (const { channelId, carries, baseUrl, credentials } of channels) {
    await setChannel(domain, { channelId, adapter: channelId, baseUrl, credentials });
    await setChannelEnabled(domain, channelId, true);
    for (const { country, kind } of carries) {
      const definition = countryDefinitions.find(({ code }) => code === country);
      const merchant = definition?.demo.merchants.at(-1);
      if (!definition || !merchant) continue;
      for (const bankCode of definition.demo.bankCodes[kind])
        await mapBank(domain, { channelId, kind, bankCode, channelBankCode: bankCode });
      await setRoute(domain, merchant.merchantNo, providerRoutes[kind], { kind, channelId, priority: 1 });
    }
  }
}

async function prepareMerchant(
  domain: Domain,
  environment: SandboxEnvironment,
  demo: (typeof demoMerchants)[number],
  keys: DemoKeys & { pair: KeyPair },
): Promise<void> {
  const { merchantNo, country, name, payoutMode } = demo;
  const defaultNotifyUrl = `${environment.urls.receiver}/notify/${merchantNo}`;
  const newMerchant = { merchantId: merchantNo, name, country, defaultNotifyUrl };
  const isNew = await createMerchant(domain, newMerchant, keys.pair);
  if ((await addMerchantKey(domain, merchantNo, publicPemOf(keys, merchantNo))) === null)
    throw new UsageError(`The key of ${merchantNo} is registered for another merchant. Start with --fresh.`);
  if (!isNew) return;
  await setFeeRule(domain, merchantNo, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await setRoute(domain, merchantNo, 1, { kind: 'payin', channelId: 'sandbox' });
  if (!payoutMode) return;
  await setFeeRule(domain, merchantNo, { kind: 'payout', percent: '1.0', fixed: '5.00' });
  await setRoute(domain, merchantNo, 2, {
    kind: 'payout',
    channelId: payoutMode === 'market' ? 'market' : 'sandbox',
    mode: payoutMode,
  });
  const topUp = { merchantId: merchantNo, entry: 'TOP_UP', amount: openingBalance, bookingNo: 'OPENING' } as const;
  // Two names, so that the opening balance does not count towards any operator's daily limit.
  const by = { actor: 'sandbox', approver: 'npm start', reason: 'opening balance' };
  const toppedUp = await bookWallet(domain, { ...topUp, remark: 'opening balance of the sandbox' }, by);
  if (!toppedUp.ok) throw new Error(`the wallet of ${merchantNo} could not be opened: ${toppedUp.rejection}`);
}

async function prepareOperators(domain: Domain, keys: DemoKeys): Promise<void> {
  const operators = [
    { operatorId: 'admin', name: 'Sandbox admin', token: keys.adminToken, roles: allRoles },
    { operatorId: 'approver', name: 'Sandbox approver', token: keys.approverToken, roles: allRoles },
    { operatorId: 'support', name: 'Sandbox support', token: keys.supportToken, roles: ['viewer', 'support'] as const },
  ];
  for (const { operatorId, name, token, roles } of operators) {
    await createOperator(domain, { operatorId, name, roles: [...roles] });
    await addOperatorToken(domain, operatorId, token);
  }
}

function publicPemOf(keys: DemoKeys, merchantNo: string): string {
  const pem = keys.merchants[merchantNo]?.publicKeyPem;
  if (!pem) throw new Error(`no key for ${merchantNo}`);
  return pem;
}

async function listed(domain: Domain, keys: DemoKeys): Promise<DemoMerchant[]> {
  const numbers = demoMerchants.map(({ merchantNo }) => merchantNo);
  const current = (await listServiceKeys(domain, numbers)).filter(({ endsAt }) => endsAt === null);
  const keyOf = new Map(current.map((key) => [key.merchantId, key]));
  return demoMerchants.map(({ merchantNo, country, currency }) => {
    const privateKeyPem = keys.merchants[merchantNo]?.privateKeyPem ?? '';
    const { publicKeyPem: servicePublicKeyPem = '', keyId: serviceKeyId = '' } = keyOf.get(merchantNo) ?? {};
    return { merchantNo, country, currency, privateKeyPem, servicePublicKeyPem, serviceKeyId };
  });
}
