import { type MerchantClient, merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import { emptyTally, type Placed, placeOrder, type RequestedOrder, type Tally } from './place-order.ts';
import { openCents } from './upstream-book.ts';

/** A load of creates, of every kind and country. */
export interface Load {
  readonly placed: readonly Placed[];
  readonly tally: Tally;
  /** Makes `count` orders that stay open until they are paid by hand. Resolves when all exist. */
  open(count: number): Promise<void>;
  /** Asks for orders that pay themselves, one after the other at each of `clients`, until `stop`. */
  keepAsking(clients: number): void;
  /** Resolves when the outcome of the last order is known. */
  stop(): Promise<void>;
}

const kinds: readonly { kind: RequestedOrder['kind']; country: string; nth: number }[] = [
  { kind: 'payin', country: 'CN', nth: 0 },
  { kind: 'payin', country: 'TH', nth: 0 },
  { kind: 'payin', country: 'IN', nth: 0 },
  { kind: 'payin', country: 'PK', nth: 0 },
  { kind: 'payout', country: 'IN', nth: 1 },
  { kind: 'payout', country: 'PK', nth: 0 },
];
/** Scenarios of the sandbox upstream by the amount's cents: paid with a callback; paid without one; paid with three callbacks. */
const payingCents = ['00', '00', '24', '25'];
/** More than any wallet has. */
const tooMuch = '900000000.00';
const MAX_AT_ONCE = 24;
/** The most orders that one load creates, however long it lasts. */
const MAX_ASKED = 2_000;

/** Makes the merchants of the sandbox ask for orders whose numbers begin with `prefix`. */
export function openLoad(fixture: Pick<ChaosHarness, 'sandbox'>, prefix: string): Load {
  const placed: Placed[] = [];
  const tally = emptyTally();
  const clients = clientsOf(fixture);
  const asking: Promise<void>[] = [];
  let stopped = false;
  let count = 0;

  const ask = async (cents: readonly string[]): Promise<Placed> => {
    const requested = requestedOrder(fixture, prefix, count++, cents);
    const client = clients.get(requested.merchantNo);
    if (!client) throw new Error(`no merchant ${requested.merchantNo}`);
    const order = await placeOrder(client, requested, tally);
    placed.push(order);
    return order;
  };
  return {
    placed,
    tally,
    open: async (wanted) => {
      let left = wanted;
      const work = async (): Promise<void> => {
        while (left-- > 0 && count < MAX_ASKED) if ((await ask([openCents])).orderNo === null) left += 1;
      };
      await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
    },
    keepAsking: (wanted) => {
      const work = async (): Promise<void> => {
        while (!stopped && count < MAX_ASKED) await ask(payingCents);
      };
      asking.push(...Array.from({ length: wanted }, work));
    },
    stop: async () => {
      stopped = true;
      await Promise.all(asking);
    },
  };
}

/** The `n`th request: all kinds and countries in rotation, one in 37 above its merchant's balance, one in five from a merchant with a short time limit. */
function requestedOrder(
  fixture: Pick<ChaosHarness, 'sandbox'>,
  prefix: string,
  n: number,
  cents: readonly string[],
): RequestedOrder {
  const turn = kinds[n % kinds.length];
  const merchant = fixture.sandbox.file.merchants.filter((one) => one.country === turn?.country)[turn?.nth ?? 0];
  if (!turn || !merchant) throw new Error('the sandbox has not the merchants that are wanted');
  const { merchantNo, country } = merchant;
  const beyondMeans = turn.kind === 'payout' && n % 37 === 0;
  // Payins bring more than payouts take, so that wallets last.
  const whole = (turn.kind === 'payin' ? 40 : 10) + (n % 23);
  const round = Math.floor(n / kinds.length);
  return {
    kind: turn.kind,
    country,
    merchantNo,
    merchantOrderNo: `${prefix}-${n}`,
    patient: n % 5 !== 0,
    beyondMeans,
    amount: beyondMeans ? tooMuch : `${whole}.${cents[round % cents.length]}`,
    notifyUrl: `${fixture.sandbox.file.receiverUrl}/notify/${merchantNo}`,
  };
}

/** A client of each merchant, by its number. */
export function clientsOf({ sandbox }: Pick<ChaosHarness, 'sandbox'>): Map<string, MerchantClient> {
  const { restUrl, merchants } = sandbox.file;
  return new Map(
    merchants.map(({ merchantNo, privateKeyPem }) => [merchantNo, merchantClient(restUrl, merchantNo, privateKeyPem)]),
  );
}
