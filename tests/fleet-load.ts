import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import type { DemoMerchant } from '../tools/sandbox/src/sandbox-environment.ts';
import type { Fleet } from './fleet.ts';
import type { Member } from './fleet-member.ts';
import { payinRequest } from './payin-requests.ts';
import { payoutRequest } from './payout-requests.ts';

/** What a merchant's software saw. */
export interface Seen {
  /** The orders whose creation was answered, by its own number. */
  orders: Map<string, { orderNo: string; kind: 'payin' | 'payout' }>;
  requests: number;
  /** Connections that were refused or broke before a byte of the answer, after which it tried again. */
  retries: number;
  /** The request ids of the answers 50300, after which it tried again. */
  busy: string[];
  /** Creates whose second try showed that the first one had succeeded, although no answer was 50300. */
  foundByQuery: number;
  /** All other errors. */
  failures: string[];
}

const maxTries = 40;
const retryAfterMs = 50;
const retryAfterBusyMs = 500;

interface Kind {
  kind: 'payin' | 'payout';
  merchant: DemoMerchant;
  body(merchantOrderNo: string, amount: string): object;
}

/** Every kind of order that goes through the sandbox's channel. */
function kindsOf({ merchants, receiverUrl }: Fleet): Kind[] {
  const first = merchants.filter((one, i) => merchants.findIndex(({ country }) => country === one.country) === i);
  return first.flatMap((merchant): Kind[] => {
    const notifyUrl = `${receiverUrl}/notify/${merchant.merchantNo}`;
    const payin = payinRequest[merchant.country];
    const payout = payoutRequest[merchant.country];
    return [
      ...(payin
        ? [{ kind: 'payin' as const, merchant, body: (no: string, amount: string) => payin(no, amount, notifyUrl) }]
        : []),
      ...(payout
        ? [{ kind: 'payout' as const, merchant, body: (no: string, amount: string) => payout(no, amount, notifyUrl) }]
        : []),
    ];
  });
}

/**
 * Creates and queries orders, with `clients` in parallel, over all of `urls` in rotation, until it is stopped. Each client behaves as a merchant's does.
 * Where a connection is refused or breaks before the answer, or the service is busy, it tries the next address. Where
 * its create was a repeat, it queries the first order.
 */
export async function loadFleet(
  fleet: Fleet,
  options: { urls: readonly string[]; clients: number; signal: AbortSignal; most: number },
): Promise<Seen> {
  const seen: Seen = { orders: new Map(), requests: 0, retries: 0, busy: [], foundByQuery: 0, failures: [] };
  const kinds = kindsOf(fleet);
  let count = 0;
  const client = async (): Promise<void> => {
    while (!options.signal.aborted && count < options.most) {
      count += 1;
      const kind = kinds[count % kinds.length];
      if (kind) await makeOrder(kind, `F-${count}`, `${10 + (count % 80)}.00`, options.urls, seen);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return seen;
}

async function makeOrder(
  { kind, merchant, body }: Kind,
  merchantOrderNo: string,
  amount: string,
  urls: readonly string[],
  seen: Seen,
): Promise<void> {
  const { merchantNo, privateKeyPem } = merchant;
  const clientOf = (url: string) => merchantClient(url, merchantNo, privateKeyPem);
  const query = () => tried(urls, seen, (url) => clientOf(url).get(`/${kind}/query`, { merchantOrderNo }));
  const created = await tried(urls, seen, (url) =>
    clientOf(url).post(`/${kind}/create`, body(merchantOrderNo, amount)),
  );
  const isSecond = created.tries > 1 && created.answer?.code === 40901;
  if (isSecond && !created.wasBusy) seen.foundByQuery += 1;
  const found = isSecond || created.answer?.code === 0 ? await query() : created;
  const { answer } = found;
  if (answer?.code === 0) seen.orders.set(merchantOrderNo, { orderNo: String(answer.data?.orderNo), kind });
  else
    seen.failures.push(
      `${kind} ${merchantOrderNo}: ${answer ? `${answer.status} ${answer.code} ${answer.msg}` : 'no answer'}`,
    );
}

async function tried(
  urls: readonly string[],
  seen: Seen,
  ask: (url: string) => Promise<Answer>,
): Promise<{ answer: Answer | null; tries: number; wasBusy: boolean }> {
  let wasBusy = false;
  for (let tries = 1; tries <= maxTries; tries++) {
    seen.requests += 1;
    const url = urls[seen.requests % urls.length] ?? '';
    try {
      const answer = await ask(url);
      if (answer.code !== 50300) return { answer, tries, wasBusy };
      seen.busy.push(answer.requestId ?? '');
      wasBusy = true;
      await delay(retryAfterBusyMs);
    } catch (error) {
      if (!cameBeforeTheAnswer(error)) {
        seen.failures.push(`an answer broke off: ${error}`);
        return { answer: null, tries, wasBusy };
      }
      seen.retries += 1;
      await delay(retryAfterMs);
    }
  }
  return { answer: null, tries: maxTries, wasBusy };
}

/** `fetch` itself failed: no status, no header came. Whatever fails later is an answer that broke off. */
function cameBeforeTheAnswer(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

/**
 * Every request of the load was answered as it should be. An answer 50300 is right if the log of a member has the reason
 * under the id of the request: the machine was too busy, so the database did not answer in time, or another process held
 * the wallet meanwhile. An outage of Redis is logged once, without an id.
 */
export function expectAllAnswered(seen: Seen, members: readonly Member[]): void {
  const warnings = members
    .flatMap((member) => member.output().split('\n'))
    .filter((line) => /"level":[456]0\b/.test(line))
    .map((line): Warning => JSON.parse(line));
  const causes = `warnings:\n${warnings
    .slice(-40)
    .map(({ msg, err }) => `${msg}: ${err?.message}`)
    .join('\n')}`;
  expect(seen.failures, `${seen.failures.join('\n')}\n${causes}`).toEqual([]);
  const late = warnings.filter(({ err }) => tooLate.test(err?.message ?? ''));
  const isRedisLate = late.some(({ msg }) => msg.startsWith('Redis does not answer'));
  const explained = new Set(late.map(({ requestId }) => requestId));
  const unexplained = isRedisLate ? [] : seen.busy.filter((requestId) => !explained.has(requestId));
  const said = unexplained.map((id) => ({ id, warnings: warnings.filter(({ requestId }) => requestId === id) }));
  expect(said, causes).toEqual([]);
}

/** What the log says where the machine was too busy. */
const tooLate = /time(d )?out|the configuration is too old|another session holds/i;

interface Warning {
  msg: string;
  requestId?: string;
  err?: { message: string };
}
