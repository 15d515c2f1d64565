import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Country, Domain } from '../../packages/domain/src/index.ts';
import { takeKeyPair } from '../../packages/domain/src/testing/key-pool.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import type { DemoMerchant } from '../../tools/sandbox/src/sandbox-environment.ts';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';
import type { RunServices } from './run-services.ts';

/** A sandbox that several test files use at the same time. */
export interface SharedSandbox {
  readonly file: SandboxFile;
  readonly portBase: number;
  readonly dataDir: string;
}

/** The sandbox that a test file wants, and the merchants that it wants for itself. */
export interface SandboxRequest {
  /** TIDEGATE_SCHEDULE_SCALE. */
  readonly scale: number;
  /** Without these the file lists the demo merchants, which all test files use. */
  readonly merchants?: readonly MerchantRequest[];
}

export interface MerchantRequest {
  readonly country: Country;
  readonly payouts?: 'upstream' | 'market';
  /** Its payins go through a channel of their own, which leaves them so long to be paid. */
  readonly payinExpirySeconds?: number;
}

export interface SharedSandboxes {
  borrow(request: SandboxRequest): Promise<SharedSandbox>;
  stop(): Promise<void>;
}

/** One sandbox for each scale, started when it is first asked for. `services` is what it starts with. */
export function sharedSandboxes(services: RunServices): SharedSandboxes {
  const started = new Map<number, Promise<RunningSandbox>>();
  let added = 0;
  const sandboxOf = (scale: number): Promise<RunningSandbox> => {
    // As npm start makes it, with a PostgreSQL and a Redis of its own.
    const sandbox = started.get(scale) ?? startSandbox({ scale, ownStores: true }, services);
    started.set(scale, sandbox);
    return sandbox;
  };
  return {
    borrow: async ({ scale, merchants = [] }) => {
      const { file, portBase, dataDir } = await sandboxOf(scale);
      if (merchants.length === 0) return { file, portBase, dataDir };
      const numbered = merchants.map((wanted) => ({ ...wanted, no: `${wanted.country}${30_001 + added++}` }));
      return { file: { ...file, merchants: await addMerchants({ file, dataDir }, numbered) }, portBase, dataDir };
    },
    stop: async () => {
      for (const sandbox of await Promise.allSettled(started.values()))
        if (sandbox.status === 'fulfilled') await sandbox.value.stop();
    },
  };
}

type Numbered = MerchantRequest & { no: string };

async function addMerchants(
  { file, dataDir }: Pick<SharedSandbox, 'file' | 'dataDir'>,
  wanted: readonly Numbered[],
): Promise<DemoMerchant[]> {
  const { currencyOf, openDomain } = await import('../../packages/domain/src/index.ts');
  const { adaptersFor } = await import('../../packages/upstream/src/index.ts');
  const { listServiceKeys } = await import('../../packages/domain/src/entries/admin.ts');
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const domain = await openDomain({
    databaseUrl: file.databaseUrl,
    keys: secrets.keys,
    adapters: adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter: { take: async () => true } }),
    publicBaseUrl: file.restUrl,
    wakeUp: () => undefined,
    log: quiet,
    connections: 2,
  });
  try {
    const pairs = wanted.map(() => takeKeyPair());
    for (const [nth, merchant] of wanted.entries())
      await addMerchant(domain, file, merchant, { publicKeyPem: pairs[nth]?.publicKeyPem ?? '', ...secrets });
    const keys = await listServiceKeys(
      domain,
      wanted.map(({ no }) => no),
    );
    const merchants = wanted.map(({ no, country }, nth): DemoMerchant => {
      const { publicKeyPem = '', keyId = '' } = keys.find(({ merchantId }) => merchantId === no) ?? {};
      return {
        merchantNo: no,
        country,
        currency: currencyOf[country],
        privateKeyPem: pairs[nth]?.privateKeyPem ?? '',
        servicePublicKeyPem: publicKeyPem,
        serviceKeyId: keyId,
      };
    });
    await Promise.all(merchants.map((merchant) => untilKnown(file, merchant)));
    return merchants;
  } finally {
    await domain.close();
  }
}

/** Creates a merchant as the sandbox does its demo merchants. */
async function addMerchant(
  domain: Domain,
  { upstreamUrl, receiverUrl }: SandboxFile,
  { no, country, payouts, payinExpirySeconds }: Numbered,
  { publicKeyPem, upstream }: { publicKeyPem: string; upstream: string },
): Promise<void> {
  const { addMerchantKey, bookWallet, createMerchant, setChannel, setFeeRule, setRoute } = await import(
    '../../packages/domain/src/entries/admin.ts'
  );
  const defaultNotifyUrl = `${receiverUrl}/notify/${no}`;
  await createMerchant(domain, { merchantId: no, name: `Shop ${no}`, country, defaultNotifyUrl }, takeKeyPair());
  await addMerchantKey(domain, no, publicKeyPem);
  let channelId = 'sandbox';
  if (payinExpirySeconds !== undefined) {
    channelId = `sandbox-${payinExpirySeconds}-${no.toLowerCase()}`;
    const channel = { channelId, adapter: 'sandbox', baseUrl: upstreamUrl, credentials: { secret: upstream } };
    await setChannel(domain, { ...channel, payinExpirySeconds });
  }
  await setFeeRule(domain, no, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await setRoute(domain, no, 1, { kind: 'payin', channelId });
  if (payouts === undefined) return;
  await setFeeRule(domain, no, { kind: 'payout', percent: '1.0', fixed: '5.00' });
  const through = payouts === 'market' ? 'market' : 'sandbox';
  await setRoute(domain, no, 2, { kind: 'payout', channelId: through, mode: payouts });
  const topUp = { merchantId: no, entry: 'TOP_UP', amount: '1000000.00', bookingNo: 'OPENING' } as const;
  const by = { actor: 'sandbox', approver: 'npm start', reason: 'opening balance' };
  const booked = await bookWallet(domain, { ...topUp, remark: 'opening balance' }, by);
  if (!booked.ok) throw new Error(`the wallet of ${no} could not be opened: ${booked.rejection}`);
}

/** The processes read configuration again when it has changed, a moment later. */
async function untilKnown({ restUrl }: SandboxFile, { merchantNo, privateKeyPem }: DemoMerchant): Promise<void> {
  const client = merchantClient(restUrl, merchantNo, privateKeyPem);
  const isKnown = async () => (await client.get('/wallet', {})).code === 0;
  await waitUntil(`${merchantNo} is known`, isKnown, { timeoutMs: 30_000, everyMs: 100 });
}
