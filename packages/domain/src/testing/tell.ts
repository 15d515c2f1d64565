import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { ApplyReport } from '../core/commands.ts';
import { decide } from '../core/decide.ts';
import type { Additions, Draft } from '../core/draft.ts';
import { at, noon } from './on-paper.ts';

/** Applies what a channel says of the draft's order, on paper, at `now`. */
export function tell(
  draft: Draft,
  answer: ChannelAnswer,
  during: ApplyReport['during'] = 'callback',
  now = noon,
): Draft {
  const { order } = draft;
  if (!order) throw new Error('the draft has no order');
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const rejection = decide(
    draft,
    { type: 'applyReport', ref, channelId: order.channelId, answer, during },
    null,
    at(now),
  );
  if (rejection) throw new Error(rejection);
  return draft;
}

/** What a draft has come to, in words: one line for each thing that a reader of the ledger would see. */
export function inWords({ order, added }: Draft, now = noon): string[] {
  return [
    ...(order ? [`${order.status}, ${nextOf(order, now)}`] : []),
    ...ledgerInWords(added),
    ...added.cases.map((c) => `case ${c.kind} ${c.amount}`),
    ...added.notifications.map((n) => `notify ${n.status}`),
  ];
}

function ledgerInWords(added: Additions): string[] {
  return [
    ...added.transfers.map((t) => `${t.debit} > ${t.credit} ${t.amount}`),
    ...added.entries.map((e) => `${e.type} ${e.availableChange} -> ${e.availableAfter}`),
  ];
}

function nextOf(order: NonNullable<Draft['order']>, now: number): string {
  if (order.nextAction === null || order.nextActionAt === null) return 'nothing to do';
  return `${order.nextAction} in ${(order.nextActionAt - now) / 1000} s`;
}
