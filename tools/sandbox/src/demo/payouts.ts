import { type Country, countryRules, type Domain, findOrderByNumber, type Order, openDomain } from '@tidegate/domain';
import { resolvePayout, workOnTask } from '@tidegate/domain/admin';
import type { Decision } from '@tidegate/domain/operators';
import type { SandboxFile } from '../sandbox-file.ts';
import { waitUntil } from '../wait-until.ts';
import { type Answer, type MerchantClient, merchantClient } from './merchant-client.ts';

/** What a merchant saw of one payout of the demo. */
export interface PayoutStory {
  what: string;
  merchantNo: string;
  orderNo: string;
  amount: string;
  frozen: string;
  created: string;
  ended: string;
  available: string;
}

const stamp = (): string => Date.now().toString(36).toUpperCase();

function requestOf(country: Country, amount: string): object {
  return { merchantOrderNo: `DEMO-OUT-${stamp()}`, amount, ...countryRules[country].demo.payout };
}

const operator = (actor: string, reason: string, approver: string | null = null): Decision => ({
  actor,
  approver,
  reason,
});

/**
 * Creates five payouts and follows each to its end. Two go to a channel, one to the task market, and one exceeds the
 * wallet's balance. The last one's channel never answers, until two operators resolve it. `keys` is the sandbox's
 * key ring.
 */
export async function demoPayouts(
  sandbox: SandboxFile,
  keys: string,
  say: (line: string) => void,
): Promise<PayoutStory[]> {
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const { databaseUrl, restUrl } = sandbox;
  const domain = await openDomain({
    databaseUrl,
    keys,
    adapters: {},
    publicBaseUrl: restUrl,
    wakeUp: () => undefined,
    log: silent,
  });
  try {
    const stories = [
      await follow(sandbox, domain, say, {
        what: 'IN, by the channel',
        country: 'IN',
        nth: 0,
        amount: '750.00',
        ends: 'completed',
      }),
      await follow(sandbox, domain, say, {
        what: 'PK, by the channel',
        country: 'PK',
        nth: 0,
        amount: '1200.00',
        ends: 'completed',
      }),
      await follow(sandbox, domain, say, {
        what: 'PK, by the task market',
        country: 'PK',
        nth: 1,
        amount: '300.00',
        ends: 'completed',
        meanwhile: payByMarket,
      }),
      await refused(sandbox, say),
      await follow(sandbox, domain, say, {
        what: 'IN, never answered, resolved',
        country: 'IN',
        nth: 0,
        amount: '500.23',
        ends: 'failed',
        meanwhile: resolve,
      }),
    ];
    return stories;
  } finally {
    await domain.close();
  }
}

interface Plan {
  what: string;
  country: 'IN' | 'PK';
  nth: number;
  amount: string;
  ends: string;
  /** Steps of operators, after the create. */
  meanwhile?: (domain: Domain, order: Order, say: (line: string) => void) => Promise<void>;
}

async function follow(
  sandbox: SandboxFile,
  domain: Domain,
  say: (line: string) => void,
  plan: Plan,
): Promise<PayoutStory> {
  const { client, merchantNo } = merchantOf(sandbox, plan.country, plan.nth);
  const created = dataOf(await client.post('/payout/create', requestOf(plan.country, plan.amount)));
  const { orderNo = '', amount = '', netAmount = '', status = '' } = created;
  say(`${plan.what}: created ${orderNo}, ${status}, ${netAmount} frozen`);
  const order = await findOrderByNumber(domain, orderNo);
  if (order && plan.meanwhile) await plan.meanwhile(domain, order, (line) => say(`${plan.what}: ${line}`));
  let ended = status;
  const hasEnded = async (): Promise<boolean> => {
    ended = dataOf(await client.get('/payout/query', { orderNo })).status ?? '';
    return ended === plan.ends;
  };
  await waitUntil(`${orderNo} ${plan.ends}`, hasEnded, { timeoutMs: 60_000, everyMs: 100 });
  say(`${plan.what}: ${ended}`);
  const { available = '' } = dataOf(await client.get('/wallet', {}));
  return { what: plan.what, merchantNo, orderNo, amount, frozen: netAmount, created: status, ended, available };
}

/** One operator claims the task and enters proof of the payment. Another one accepts it. */
async function payByMarket(domain: Domain, order: Order, say: (line: string) => void): Promise<void> {
  const steps = [
    [{ type: 'claimTask' }, 'admin', 'admin claims the task'],
    [
      { type: 'proveTask', proof: { reference: `TRX-${order.orderNo.slice(-8)}`, payer: 'Ali K.', note: null } },
      'admin',
      'admin says how it was paid',
    ],
    [{ type: 'acceptProof' }, 'approver', 'approver accepts the proof'],
  ] as const;
  for (const [action, actor, line] of steps) {
    const done = await workOnTask(domain, order, action, operator(actor, 'demo'));
    if (!done.ok) throw new Error(`${line}: ${done.rejection}`);
    say(line);
  }
}

async function resolve(domain: Domain, order: Order, say: (line: string) => void): Promise<void> {
  const submitted = async (): Promise<boolean> =>
    (await findOrderByNumber(domain, order.orderNo))?.nextAction === 'poll';
  await waitUntil(`${order.orderNo} at its channel`, submitted, { timeoutMs: 30_000 });
  say('the channel says neither yes nor no: the money stays frozen, nothing is tried elsewhere');
  const evidence = 'statement of the bank: nothing was paid';
  const done = await resolvePayout(
    domain,
    order,
    { outcome: 'failed', evidence },
    operator('admin', 'demo', 'approver'),
  );
  if (!done.ok) throw new Error(`resolving ${order.orderNo}: ${done.rejection}`);
  say('admin and approver resolve it by evidence: the money is released');
}

async function refused(sandbox: SandboxFile, say: (line: string) => void): Promise<PayoutStory> {
  const { client, merchantNo } = merchantOf(sandbox, 'PK', 0);
  const answer = await client.post('/payout/create', requestOf('PK', '99999999.00'));
  say(`PK, more than the wallet holds: ${answer.code} ${answer.msg}`);
  const { available = '' } = dataOf(await client.get('/wallet', {}));
  const created = `${answer.code} ${answer.msg}`;
  return {
    what: 'PK, more than there is',
    merchantNo,
    orderNo: '–',
    amount: '99999999.00',
    frozen: '–',
    created,
    ended: '–',
    available,
  };
}

function merchantOf(
  sandbox: SandboxFile,
  country: string,
  nth: number,
): { client: MerchantClient; merchantNo: string } {
  const merchant = sandbox.merchants.filter((one) => one.country === country)[nth];
  if (!merchant) throw new Error(`sandbox.json names no merchant ${nth + 1} of ${country}`);
  return {
    client: merchantClient(sandbox.restUrl, merchant.merchantNo, merchant.privateKeyPem),
    merchantNo: merchant.merchantNo,
  };
}

function dataOf(answer: Answer): Record<string, string | undefined> {
  if (answer.code !== 0 || !answer.data) throw new Error(`${answer.code} ${answer.msg} (request ${answer.requestId})`);
  return answer.data as Record<string, string | undefined>;
}
