import type { Announce, Change } from './core/change.ts';
import type { LedgerEvent } from './core/events.ts';
import type { Observer } from './core/log.ts';
import type { MoneyCase } from './core/payment.ts';
import type { WakeUp, Work } from './core/queued-work.ts';
import type { Written } from './ledger/writer.ts';

/** Receives what was committed. */
export interface Published {
  wakeUp: WakeUp;
  announce?: Announce | undefined;
  observer?: Observer | undefined;
}

/** Wakes the workers, and announces what was committed. */
export function publish(written: Written, { wakeUp, announce, observer }: Published): void {
  const due = dueOf(written);
  if (due.length > 0) wakeUp(due);
  announce?.(changesOf(written));
  if (observer?.orderMoved) for (const move of movesOf(written)) observer.orderMoved(move);
}

function movesOf({ orders, events }: Written): Parameters<Required<Observer>['orderMoved']>[0][] {
  const moved = new Map(orders.map((order) => [order.orderNo, order]));
  return events.flatMap((event) => {
    const order = 'transition' in event ? moved.get(event.transition.orderNo) : undefined;
    return order && 'transition' in event
      ? [{ kind: order.kind, country: order.country, to: event.transition.to }]
      : [];
  });
}

function changesOf({ events }: Written): Change[] {
  return events.flatMap((event) => changeOf(event) ?? []);
}

function changeOf(event: LedgerEvent): Change | null {
  if ('transition' in event) {
    const { merchantId, orderNo, to } = event.transition;
    return { type: 'order', merchantId, orderNo, status: to };
  }
  if (event.type === 'approval requested' || event.type === 'approval decided') {
    const { merchantId, approvalId, state } = event.approval;
    return { type: 'approval', merchantId, approvalId, state };
  }
  const changed = changedCase(event);
  if (changed === null) return null;
  const { merchantId, caseNo, state } = changed;
  return { type: 'case', merchantId, caseNo, state, isNew: event.type === 'case opened' };
}

/** The case that an event opens, closes or changes while it stays open. */
function changedCase(event: LedgerEvent): MoneyCase | null {
  switch (event.type) {
    case 'case opened':
      return event.opened;
    case 'case closed':
      return event.closed;
    case 'case reserved':
      return event.reserved;
    case 'case repaid':
      return event.repaid;
    default:
      return null;
  }
}

/** Work that is due now. Later work is found by the dispatcher. */
function dueOf({ orders, events }: Written): Work[] {
  const due: Work[] = [];
  for (const event of events) {
    if (event.type === 'refund requested') {
      const { merchantId, caseNo, refundNo, orderNo, channelId, createdAt } = event.refund;
      due.push({ queue: 'refund', merchantId, caseNo, refundNo, orderNo, channelId, dueAt: createdAt });
    }
    if (event.type === 'settlement written') {
      const { merchantId, paymentNo: orderNo, channelId, nextAction, nextActionAt } = event.settlement;
      if (orderNo !== null && channelId !== null && nextAction === 'send' && nextActionAt !== null)
        due.push({ queue: 'settle', merchantId, orderNo, channelId, dueAt: nextActionAt });
    }
    if (event.type !== 'notification due') continue;
    const { merchantId, orderNo, status, host, createdAt, traceparent } = event.notification;
    const traced = traceparent !== null && { traceparent };
    due.push({ queue: 'notify', merchantId, orderNo, status, host, dueAt: createdAt, ...traced });
  }
  for (const { merchantId, orderNo, channelId, nextAction, nextActionAt, updatedAt, traceparent } of orders) {
    if (nextAction === null || nextActionAt === null || nextActionAt > updatedAt) continue;
    const traced = traceparent !== null && { traceparent };
    due.push({ queue: nextAction, merchantId, orderNo, channelId, dueAt: nextActionAt, ...traced });
  }
  return due;
}
