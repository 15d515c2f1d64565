import type { ApplyReport, CreatePayin, CreatePayout } from './commands.ts';
import type { Deciders } from './decider.ts';
import { cancelOrder, confirmFunds, resolvePayout } from './operator-decisions.ts';
import { applyPayinReport, createPayin } from './payin.ts';
import { applyPayoutReport, createPayout } from './payout.ts';
import { priceAt } from './price-order.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';
import { claimWork, reroute } from './work.ts';

type Creation = 'createPayin' | 'createPayout';
type OnOrder = 'applyReport' | 'claimWork' | 'reroute' | 'cancelOrder' | 'confirmFunds' | 'resolvePayout';

/** An order is created, its channel answers, workers act on it, and operators end it. */
export const orderDeciders: Deciders<Creation | OnOrder> = {
  createPayin: createOrder,
  createPayout: createOrder,
  applyReport: onOrder(applyReport),
  claimWork: onOrder(claimWork),
  reroute: onOrder(reroute),
  cancelOrder: onOrder(cancelOrder),
  confirmFunds: onOrder(confirmFunds),
  resolvePayout: onOrder(resolvePayout),
};

/** The decider of a command that needs its order. */
export function onOrder<Command>(decide: (story: Story, command: Command) => Story | Rejection) {
  return (story: Story, command: Command): Story | Rejection =>
    story.state.order ? decide(story, command) : 'order_not_found';
}

/**
 * Creates an order with the terms in force at its creation, by the database's clock, under the lock of the merchant's
 * wallet. The same order number is accepted only for the same command, whose answer was lost.
 */
function createOrder(story: Story, command: CreatePayin | CreatePayout): Story | Rejection {
  const { existing } = story.state;
  if (existing) return existing.orderNo === command.order.orderNo ? story : 'merchant_order_no_exists';
  const order = priceAt(command.order, command.fees, story.now);
  if (typeof order === 'string') return order;
  return command.type === 'createPayin'
    ? createPayin(story, { ...command, order })
    : createPayout(story, { ...command, order });
}

function applyReport(story: Story, report: ApplyReport): Story | Rejection {
  if (story.order.channelId !== report.channelId) return 'not_this_channel';
  return story.order.kind === 'payin' ? applyPayinReport(story, report) : applyPayoutReport(story, report);
}
