import { all, type Given } from './given.ts';

/**
 * Every row that the events become, one line each. Unlike `inWords`, it has every cause, reference, detail and actor.
 */
export function inFull({ events }: Given): string[] {
  return [
    ...all(events, 'transition').map((t) => `${t.seq} ${t.from} > ${t.to}: ${t.trigger} by ${t.actor} (${t.detail})`),
    ...all(events, 'transfer').map((t) => `${t.cause} ${t.debit} > ${t.credit} ${t.amount} for ${t.orderNo}`),
    ...all(events, 'payment').map(
      (p) => `${p.use} ${p.reference ?? 'without a reference'} ${p.amount} by ${p.channelId} for ${p.orderNo}`,
    ),
    ...all(events, 'opened').map(
      (c) => `case ${c.kind} ${c.reference} ${c.amount} by ${c.channelId} for ${c.orderNo} (${c.detail})`,
    ),
    ...all(events, 'entry').map(
      (e) =>
        `${e.type} ${e.availableChange} ${e.frozenChange} for ${e.orderNo} ${e.merchantOrderNo} (${e.remark}, ${e.bookingNo})`,
    ),
    ...all(events, 'record').map((a) => `${a.action} of ${a.subject} by ${a.actor} and ${a.approver}: ${a.reason}`),
  ];
}
