import type { Order } from '../core/order.ts';
import { all, type Given } from './given.ts';
import { noon } from './on-paper.ts';

/** The events in words, one line each. */
export function inWords({ state: { order }, events }: Given, now = noon): string[] {
  return [...(order ? [`${order.status}, ${nextOf(order, now)}`] : []), ...ledgerInWords({ events })];
}

/** The same without the order. */
export function ledgerInWords({ events }: Pick<Given, 'events'>): string[] {
  return [
    ...all(events, 'transfer').map((t) => `${t.debit} > ${t.credit} ${t.amount}`),
    ...all(events, 'entry').map((e) => `${e.type} ${e.availableChange} -> ${e.availableAfter}`),
    ...all(events, 'opened').map((c) => `case ${c.kind} ${c.amount}`),
    ...all(events, 'notification').map((n) => `notify ${n.status}`),
  ];
}

function nextOf(order: Order, now: number): string {
  if (order.nextAction === null || order.nextActionAt === null) return 'nothing to do';
  return `${order.nextAction} in ${(order.nextActionAt - now) / 1000} s`;
}
