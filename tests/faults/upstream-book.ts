import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosHarness } from './chaos-harness.ts';

/** An order as the sandbox upstream has it; one that was requested and never accepted has no status. */
export interface UpstreamOrder {
  orderNo: string;
  status?: string;
  payments?: { reference: string; amount: string }[];
}

const PAGE = 10_000;
const MAX_PAGES = 100;
const PAYERS = 16;
const LOOK_AGAIN_MS = 1_000;
/** The cents of orders that nothing happens to by itself. */
export const openCents = '23';

/** Every order that the upstream was ever asked for, from the `from`th on. */
export async function upstreamOrders({ sandbox }: Pick<ChaosHarness, 'sandbox'>, from = 0): Promise<UpstreamOrder[]> {
  const all: UpstreamOrder[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await fetch(`${sandbox.file.upstreamUrl}/orders?offset=${from + all.length}&limit=${PAGE}`);
    const { orders } = (await response.json()) as { orders: UpstreamOrder[] };
    all.push(...orders);
    if (orders.length < PAGE) return all;
  }
  throw new Error('the upstream has more orders than are looked at');
}

/** Pays by hand, as payers and banks do, what is open of the orders whose numbers begin with `prefix`, until `signal`. */
export async function payOpenOrders(
  fixture: ChaosHarness,
  { prefix, upstreamFrom, signal }: { prefix: string; upstreamFrom: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    // While the upstream is unavailable payments fail. The next list shows what was paid, so that nothing is paid twice.
    const [ours, theirs] = await Promise.all([
      openOrders(fixture, prefix),
      upstreamOrders(fixture, upstreamFrom),
    ]).catch(() => [new Set<string>(), []] as const);
    const open = theirs.filter(({ orderNo, status }) => status === 'pending' && ours.has(orderNo));
    const pay = async (): Promise<void> => {
      for (let next = open.shift(); next && !signal.aborted; next = open.shift()) {
        const url = `${fixture.sandbox.file.upstreamUrl}/orders/${next.orderNo}/pay`;
        await fetch(url, { method: 'POST' }).then(
          (response) => response.body?.cancel(),
          () => undefined,
        );
      }
    };
    await Promise.all(Array.from({ length: PAYERS }, pay));
    await delay(LOOK_AGAIN_MS);
  }
}

/** Open orders whose amount tells the upstream to leave them open. */
async function openOrders({ ask }: ChaosHarness, prefix: string): Promise<Set<string>> {
  const sql = `select order_no as "orderNo" from orders
    where starts_with(merchant_order_no, $1) and amount::text like $2 and status in ('created', 'processing')`;
  const { rows } = await ask(({ database }) =>
    database.pool.query<{ orderNo: string }>(sql, [`${prefix}-`, `%.${openCents}`]),
  );
  return new Set(rows.map(({ orderNo }) => orderNo));
}
