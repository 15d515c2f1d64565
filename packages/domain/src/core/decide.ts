import { bookWallet } from './book-wallet.ts';
import { inBrief } from './channel-answer.ts';
import type { Command } from './commands.ts';
import { type Circumstances, type Draft, openCase, post, recordTransition } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal } from './order.ts';
import { applyPayinReport, createPayin } from './payin.ts';
import { applyPayoutReport, createPayout } from './payout.ts';
import type { Rejection } from './rejection.ts';

/** The order that has the new one's merchant order number already, or a wallet booking's own number if it was booked. */
export interface Taken {
  orderNo: string;
}

/**
 * The pure heart of the write seam: applies one command to its draft, or says why not, and then the draft is as it was.
 * Commands may come twice, since an answer can get lost after the commit: the second time has no further effect.
 */
export function decide(draft: Draft, command: Command, taken: Taken | null, on: Circumstances): Rejection | null {
  switch (command.type) {
    case 'createPayin': {
      // The same order number can only be this very command, whose answer was lost.
      if (taken) return taken.orderNo === command.order.orderNo ? null : 'merchant_order_no_exists';
      createPayin(draft, command, on);
      return null;
    }
    case 'createPayout': {
      if (taken) return taken.orderNo === command.order.orderNo ? null : 'merchant_order_no_exists';
      return createPayout(draft, command, on);
    }
    case 'applyReport': {
      const { order } = draft;
      if (!order) return 'order_not_found';
      if (order.channelId !== command.channelId) return 'not_this_channel';
      if (order.kind === 'payin') applyPayinReport(draft, order, command, on);
      else applyPayoutReport(draft, order, command, on);
      return null;
    }
    case 'claimWork': {
      const { order } = draft;
      if (!order) return 'order_not_found';
      if (order.nextAction !== command.action || order.nextActionAt === null || order.nextActionAt > on.now)
        return 'not_due';
      order.nextActionAt = on.now + command.lease;
      order.attempt += 1;
      return null;
    }
    case 'reroute': {
      const { order } = draft;
      if (!order) return 'order_not_found';
      if (order.channelId !== command.fromChannelId || order.channelRef !== null || isTerminal(order.status))
        return 'not_this_channel';
      const detail = `${command.fromChannelId} refused (${inBrief(command.reason, 100)}), ${command.toChannelId} is next`;
      recordTransition(draft, order, order.status, order.status, 'rerouted', { actor: 'routing', detail }, on.now);
      order.channelId = command.toChannelId;
      order.channelBankCode = command.toChannelBankCode;
      order.updatedAt = on.now;
      return null;
    }
    case 'bookUnmatched': {
      const amount = Money.of(command.amount, draft.wallet.currency);
      const { merchantId, channelId, orderNo, reference } = command;
      if (draft.payments.some((payment) => payment.reference === reference)) return null;
      const payment = {
        merchantId,
        orderNo,
        reference,
        channelId,
        amount: command.amount,
        use: 'suspense',
        receivedAt: on.now,
      } as const;
      draft.payments.push(payment);
      draft.added.payments.push(payment);
      post(draft, channelAccount(channelId), 'suspense', amount, 'suspense_in', null, on.now);
      openCase(
        draft,
        { kind: 'unmatched', orderNo: null, channelId, reference, amount, detail: `for an unknown order ${orderNo}` },
        on.now,
      );
      return null;
    }
    case 'bookWallet':
      return taken ? null : bookWallet(draft, command, on);
    default:
      return command satisfies never;
  }
}
