import { setTimeout as delay } from 'node:timers/promises';
import { clientsOf } from '../faults/order-load.ts';
import { emptyTally, type Placed, placeOrder } from '../faults/place-order.ts';
import type { ProofFixture } from '../faults/prove-orders.ts';

/** Creates at a fixed rate, whatever the answers take. */
export interface Pulse {
  readonly placed: readonly Placed[];
  /** How many were answered with code 0. */
  acknowledged(): number;
  /** The longest time between two such answers. */
  longestGapMs(): number;
  stop(): Promise<void>;
}

const EVERY_MS = 200;
const MOST_AT_ONCE = 60;

/** The orders' numbers begin with `prefix`. */
export function startPulse(fixture: Pick<ProofFixture, 'sandbox'>, prefix: string): Pulse {
  const { merchants, receiverUrl } = fixture.sandbox.file;
  const merchantNo = merchants.find(({ country }) => country === 'CN')?.merchantNo ?? '';
  const client = clientsOf(fixture).get(merchantNo);
  if (!client) throw new Error('the sandbox has no merchant of CN');
  const placed: Placed[] = [];
  const answeredAt = [performance.now()];
  const end = new AbortController();
  const pending = new Set<Promise<void>>();
  let n = 0;
  const create = async (): Promise<void> => {
    const order = await placeOrder(
      client,
      {
        kind: 'payin',
        country: 'CN',
        merchantNo,
        merchantOrderNo: `${prefix}${++n}`,
        amount: '10.00',
        notifyUrl: `${receiverUrl}/notify/${merchantNo}`,
        beyondMeans: false,
        patient: false,
      },
      emptyTally(),
    );
    if (order.knowledge === 'acknowledged') answeredAt.push(performance.now());
    placed.push(order);
  };
  const beating = (async () => {
    while (!end.signal.aborted) {
      if (pending.size < MOST_AT_ONCE) {
        const one: Promise<void> = create().finally(() => pending.delete(one));
        pending.add(one);
      }
      await delay(EVERY_MS);
    }
    await Promise.all(pending);
  })();
  return {
    placed,
    acknowledged: () => answeredAt.length - 1,
    longestGapMs: () => Math.max(...answeredAt.slice(1).map((at, i) => at - (answeredAt[i] ?? at))),
    stop: () => {
      end.abort();
      return beating;
    },
  };
}
