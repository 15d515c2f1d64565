import type { Draft } from '../core/draft.ts';

/** Everything that a draft has added, a line for each row: unlike `inWords`, with every cause, reference, detail and actor. */
export function inFull({ added }: Draft): string[] {
  return [
    ...added.transitions.map((t) => `${t.seq} ${t.from} > ${t.to}: ${t.trigger} by ${t.actor} (${t.detail})`),
    ...added.transfers.map((t) => `${t.cause} ${t.debit} > ${t.credit} ${t.amount} for ${t.orderNo}`),
    ...added.payments.map((p) => `${p.use} ${p.reference} ${p.amount} by ${p.channelId} for ${p.orderNo}`),
    ...added.cases.map(
      (c) => `case ${c.kind} ${c.reference} ${c.amount} by ${c.channelId} for ${c.orderNo} (${c.detail})`,
    ),
    ...added.entries.map(
      (e) =>
        `${e.type} ${e.availableChange} ${e.frozenChange} for ${e.orderNo} ${e.merchantOrderNo} (${e.remark}, ${e.bookingNo})`,
    ),
    ...added.audits.map((a) => `${a.action} of ${a.subject} by ${a.actor} and ${a.approver}: ${a.reason}`),
  ];
}
