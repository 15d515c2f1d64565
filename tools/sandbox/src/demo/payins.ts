import { type CountryDemo, countryDefinitions } from '@tidegate/domain';
import type { SandboxFile } from '../sandbox-file.ts';
import { waitUntil } from '../wait-until.ts';
import { type Answer, merchantClient } from './merchant-client.ts';

/** What a merchant saw of one payin of the demo. */
export interface PayinStory {
  country: string;
  merchantNo: string;
  orderNo: string;
  amount: string;
  feeAmount: string;
  netAmount: string;
  created: string;
  ended: string;
  seconds: string;
  notified: string;
  payUrl: string;
}

const stamp = (): string => Date.now().toString(36).toUpperCase();

/**
 * Creates a payin for the first merchant of each country, and for each merchant whose payins go to a provider's fake.
 * Follows each payin until its notification has arrived.
 */
export async function demoPayins(sandbox: SandboxFile, say: (line: string) => void): Promise<PayinStory[]> {
  const stories = countryDefinitions.flatMap(({ code, demo }) =>
    merchantsOf(sandbox, code).map((merchant) => followPayin(sandbox, merchant, demo, say)),
  );
  return Promise.all(stories);
}

/** The first merchant of a country, and the last one if its payins go to a provider. */
function merchantsOf({ merchants, channels = [] }: SandboxFile, country: string): SandboxFile['merchants'][number][] {
  const here = merchants.filter((merchant) => merchant.country === country);
  const hasProvider = channels.some(({ carries }) =>
    carries.some((one) => one.country === country && one.kind === 'payin'),
  );
  return [...new Set([...here.slice(0, 1), ...(hasProvider ? here.slice(-1) : [])])];
}

async function followPayin(
  sandbox: SandboxFile,
  merchant: SandboxFile['merchants'][number],
  demo: CountryDemo,
  say: (line: string) => void,
): Promise<PayinStory> {
  const { country, merchantNo } = merchant;
  const client = merchantClient(sandbox.restUrl, merchantNo, merchant.privateKeyPem);
  const merchantOrderNo = `DEMO-${merchantNo}-${stamp()}`;
  const began = performance.now();
  const body = { merchantOrderNo, ...demo.payin(`${sandbox.receiverUrl}/notify/${merchantNo}`) };
  const created = orderOf(await client.post('/payin/create', body), `the payin of ${merchantNo}`);
  say(`${country}: created ${created.orderNo}, ${created.status}`);
  let latest = created;
  const isOver = async (): Promise<boolean> => {
    latest = orderOf(await client.get('/payin/query', { merchantOrderNo }), created.orderNo ?? '');
    return ['completed', 'failed', 'timeout', 'cancelled'].includes(latest.status ?? '');
  };
  await waitUntil(`the end of ${created.orderNo}`, isOver, { timeoutMs: 60_000, everyMs: 100 });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${country}: ${latest.status} after ${seconds} s`);
  const notified = await notificationOf(sandbox, created.orderNo ?? '', latest.status ?? '');
  say(`${country}: notification ${notified}`);
  const { orderNo = '', amount = '', feeAmount = '', netAmount = '', payUrl = '–' } = created;
  return {
    country,
    merchantNo,
    orderNo,
    amount,
    feeAmount,
    netAmount,
    created: created.status ?? '',
    ended: latest.status ?? '',
    seconds,
    notified,
    payUrl,
  };
}

/** Waits until the demo receiver has the notification. Returns whether its signature was correct. */
async function notificationOf(sandbox: SandboxFile, orderNo: string, status: string): Promise<string> {
  let result = '';
  const hasCome = async (): Promise<boolean> => {
    const response = await fetch(`${sandbox.receiverUrl}/received?orderNo=${orderNo}`);
    const received = (await response.json()) as { verified: boolean; answered: number; body: { status?: string } }[];
    const found = received.find((one) => one.body.status === status);
    if (found) result = found.verified ? `signature right, answered ${found.answered}` : 'signature wrong';
    return found !== undefined;
  };
  await waitUntil(`the notification of ${orderNo}`, hasCome, { timeoutMs: 60_000, everyMs: 100 });
  return result;
}

function orderOf(answer: Answer, what: string): Record<string, string | undefined> {
  if (answer.code !== 0 || !answer.data)
    throw new Error(`${what}: ${answer.code} ${answer.msg} (request ${answer.requestId})`);
  return answer.data as Record<string, string | undefined>;
}
