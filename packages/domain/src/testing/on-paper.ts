import type { Approval } from '../core/approval.ts';
import type { Command, NewOrder } from '../core/commands.ts';
import type { Country } from '../core/country.ts';
import { decide } from '../core/decide.ts';
import { firstBatchHash } from '../core/ledger-batch.ts';
import { Money } from '../core/money.ts';
import type { Order, OrderKind } from '../core/order.ts';
import { type Context, stateOf } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import { currencyOf, orderRules } from '../countries/index.ts';

// Orders and wallets for tests of the pure core, which needs no database.

export const noon = Date.UTC(2026, 0, 15, 12);

export function at(now: number, scheduleScale = 1): Context {
  return { now, scheduleScale, rules: orderRules };
}

/** The creator's part of an order over 100.00 with a fee of 2.50. */
export function aNewOrder(country: Country, kind: OrderKind = 'payin', changes: Partial<NewOrder> = {}): NewOrder {
  const currency = currencyOf[country];
  const [amount, fee] = [
    Money.of(changes.amount ?? '100.00', currency),
    Money.of(changes.feeAmount ?? '2.50', currency),
  ];
  return {
    merchantId: `${country}-1`,
    orderNo: kind === 'payin' ? 'PI000000001' : 'PO000000001',
    merchantOrderNo: 'M-1',
    kind,
    country,
    currency,
    mode: 'upstream',
    isLive: false,
    amount: amount.toString(),
    feeAmount: fee.toString(),
    netAmount: (kind === 'payin' ? amount.minus(fee) : amount.plus(fee)).toString(),
    // The terms of the fee.
    feeTerms: { percent: '0', fixed: fee.toString() },
    bankCode: null,
    channelId: 'fake',
    channelBankCode: null,
    notifyUrl: 'https://shop.test/n',
    details: {},
    ...changes,
  };
}

/** An open order at noon, at its channel, created a minute before. It expires half an hour after its creation. */
export function anOrder(country: Country, changes: Partial<Order> = {}, kind: OrderKind = 'payin'): Order {
  const order = aNewOrder(country, kind);
  const command: Command =
    kind === 'payin'
      ? { type: 'createPayin', order, submitAfter: 0, expiresIn: 30 * 60_000 }
      : { type: 'createPayout', order };
  const wallet = aWallet(country, { available: '1000.00' });
  const decided = decide(stateOf(wallet), command, at(noon - 60_000));
  if (typeof decided === 'string') throw new Error(decided);
  const onItsWay = { status: 'processing', channelRef: 'ref-1', nextAction: 'poll', nextActionAt: noon } as const;
  return { ...(decided.state.order as Order), ...onItsWay, ...changes };
}

export function aWallet(country: Country, changes: Partial<Wallet> = {}): Wallet {
  return {
    merchantId: `${country}-1`,
    currency: currencyOf[country],
    available: '0.00',
    frozen: '0.00',
    withheld: '0.00',
    lastEntryNo: 0,
    lastTransferNo: 0,
    lastCaseNo: 0,
    lastAuditNo: 0,
    lastBatchNo: 0,
    lastBatchHash: firstBatchHash,
    updatedAt: noon - 60_000,
    recordedAt: 0,
    ...changes,
  };
}

/** An approval that ann requested at noon, valid for a day. */
export function anApproval(changes: Partial<Approval> = {}): Approval {
  return {
    approvalId: 'A-1',
    merchantId: 'TH-1',
    operation: 'topUpWallet',
    subject: 'B-1',
    alsoSubjects: [],
    input: { amount: '10.00' },
    requestedBy: 'ann',
    reason: 'seen',
    requestedAt: noon,
    expiresAt: noon + 24 * 60 * 60_000,
    state: 'pending',
    decidedBy: null,
    decidedAt: null,
    outcome: null,
    expectedVersion: null,
    effect: null,
    effectNow: null,
    ...changes,
  };
}
