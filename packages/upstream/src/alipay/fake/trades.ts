import { randomInt } from 'node:crypto';
import { type FakeServer, fateOf, fromCents, openStore, type Store, toCents } from '../../fake-provider/index.ts';

/** `code`: an unscanned order code. There is no trade yet. */
export type TradeState = 'code' | 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_FINISHED' | 'TRADE_CLOSED';

export interface TradeRefund {
  requestNo: string;
  amount: string;
  /** Unix milliseconds. */
  at?: number;
}

export interface Trade {
  outTradeNo: string;
  tradeNo: string;
  amount: string;
  subject: string;
  notifyUrl: string;
  qrCode: string;
  state: TradeState;
  /** What the seller received; less than the amount if the seller gave a discount. */
  received: string | null;
  paidAt: number | null;
  createdAt: number;
  /** `time_expire` of a page, in Unix milliseconds: from then on it cannot be paid. */
  expiresAt?: number;
  /** The order code was closed, or has expired, before its scan. It cannot be scanned any more. */
  isDead: boolean;
  refunds: TradeRefund[];
}

export type NewTrade = Pick<Trade, 'outTradeNo' | 'amount' | 'subject' | 'notifyUrl' | 'expiresAt'>;

export interface Trades {
  get(outTradeNo: string): Trade | undefined;
  all(): Trade[];
  /** Adds an order code, and starts its payer. */
  add(order: NewTrade): Trade;
  scan(outTradeNo: string): void;
  pay(outTradeNo: string): void;
  change(trade: Trade, changed: Partial<Trade>): Trade;
  close(): void;
}

/** Seconds after the creation. */
const scanAfter = 1;
const payAfter = 2;
const payLateAfter = 12;

/** Keeps the trades, and lets their payers act. `changed` runs after each change of a trade's state. */
export function openTrades(server: FakeServer, stateFile: string | undefined, changed: (trade: Trade) => void): Trades {
  const store: Store<Trade> = openStore(stateFile);
  const change = (trade: Trade, values: Partial<Trade>): Trade => {
    const next = { ...trade, ...values };
    store.put(next.outTradeNo, next);
    if (next.state !== trade.state) changed(next);
    return next;
  };
  const scan = (outTradeNo: string) => {
    const trade = store.get(outTradeNo);
    if (trade?.state === 'code' && !trade.isDead) change(trade, { state: 'WAIT_BUYER_PAY' });
  };
  const expireDue = () => {
    const isDue = ({ state, expiresAt = Number.POSITIVE_INFINITY }: Trade) =>
      state === 'WAIT_BUYER_PAY' && expiresAt <= server.clock.now();
    for (const trade of store.all().filter(isDue)) change(trade, { state: 'TRADE_CLOSED' });
  };
  const pay = (outTradeNo: string) => {
    expireDue();
    scan(outTradeNo);
    const trade = store.get(outTradeNo);
    if (trade?.state !== 'WAIT_BUYER_PAY') return;
    const received = fateOf(trade.amount) === 'other_amount' ? lessOneYuan(trade.amount) : trade.amount;
    change(trade, { state: 'TRADE_SUCCESS', received, paidAt: server.clock.now() });
  };
  const expire = (outTradeNo: string) => {
    const trade = store.get(outTradeNo);
    if (trade?.state === 'code') change(trade, { isDead: true });
    if (trade?.state === 'WAIT_BUYER_PAY') change(trade, { state: 'TRADE_CLOSED' });
  };
  const startPayer = ({ outTradeNo, amount }: Trade) => {
    const fate = fateOf(amount);
    // Orders that stay open: .01 to .04 and .23 are scanned at once, .05 to .09 never.
    if (fate === 'open' && amount.slice(-1) <= '4') scan(outTradeNo);
    if (fate === 'open') return;
    if (fate === 'paid_late') return server.after(payLateAfter, () => pay(outTradeNo));
    if (fate !== 'expires') server.after(scanAfter, () => scan(outTradeNo));
    server.after(payAfter, () => (fate === 'fails' || fate === 'expires' ? expire(outTradeNo) : pay(outTradeNo)));
  };
  for (const trade of store.all()) if (trade.state === 'code' || trade.state === 'WAIT_BUYER_PAY') startPayer(trade);
  return {
    get(outTradeNo) {
      expireDue();
      return store.get(outTradeNo);
    },
    all() {
      expireDue();
      return store.all();
    },
    add(order) {
      const trade = tradeOf(order, server.clock.now());
      store.put(trade.outTradeNo, trade);
      startPayer(trade);
      return trade;
    },
    scan,
    pay,
    change,
    close: () => store.close(),
  };
}

/** A new trade, not scanned yet. `now` is in Unix ms. */
function tradeOf(order: NewTrade, now: number): Trade {
  const day = new Date(now + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
  return {
    ...order,
    tradeNo: `${day}22001${digits(15)}`,
    qrCode: `https://qr.alipay.com/bax${digits(12)}`,
    state: 'code',
    received: null,
    paidAt: null,
    createdAt: now,
    isDead: false,
    refunds: [],
  };
}

/** An amount below 1.00 stays as it is. */
function lessOneYuan(amount: string): string {
  const cents = toCents(amount);
  return fromCents(cents < 100 ? cents : cents - 100);
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
