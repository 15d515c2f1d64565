import { bookEntry } from './book-wallet.ts';
import type { Deciders } from './decider.ts';
import { Money } from './money.ts';
import { isAlone } from './operator.ts';
import type { Rejection } from './rejection.ts';
import {
  type ApproveSettlement,
  type DraftSettlement,
  type FailSettlement,
  type PayOrConfirmSettlement,
  type ProvingLine,
  problemOfStep,
  type SendSettlement,
  type Settlement,
  type SettlementCommand,
  type SettlementDraft,
  stepOfProof,
} from './settlement.ts';
import { bringBack, change, entryOf } from './settlement-bookings.ts';
import { recordShown } from './settlement-movements.ts';
import { applyPayment, claimPayment, confirmPayment, failPayment, requestPayment } from './settlement-payment.ts';
import type { Story } from './story.ts';

/** A settlement of a merchant (ADR 0022). Money moves when it is approved, and when it comes back. */
export const settlementDeciders: Deciders<SettlementCommand['type']> = {
  draftSettlement: storeDraft,
  approveSettlement: onSettlement(approve),
  paySettlement: onSettlement(pay),
  sendSettlement: onSettlement(send),
  claimSettlementPayment: onSettlement(claimPayment),
  applySettlementPayment: onSettlement(applyPayment),
  confirmSettlement: onSettlement(confirm),
  failSettlement: onSettlement(fail),
};

function onSettlement<Command>(decide: (story: Story, settlement: Settlement, command: Command) => Story | Rejection) {
  return (story: Story, command: Command): Story | Rejection =>
    story.state.settlement ? decide(story, story.state.settlement, command) : 'settlement_not_found';
}

/** The fields of a settlement that no channel pays. */
export const notByChannel = {
  channelId: null,
  paymentNo: null,
  channelBankCode: null,
  channelRef: null,
  answer: null,
  nextAction: null,
  nextActionAt: null,
  attempt: 0,
  commandId: null,
  transferNo: null,
  returnTransferNo: null,
} as const;

function storeDraft(story: Story, { merchantId, seq, settlementNo, draft }: DraftSettlement): Story | Rejection {
  const { settlement, wallet } = story.state;
  if (settlement && settlement.state !== 'draft') return 'version_outdated';
  if (settlement && isSame(settlement, draft)) return story;
  const written: Settlement = {
    ...draft,
    merchantId,
    seq,
    settlementNo,
    state: 'draft',
    currency: wallet.currency,
    version: (settlement?.version ?? 0) + 1,
    draftedAt: settlement?.draftedAt ?? story.now,
    reference: null,
    fileNo: null,
    caseNo: null,
    debitLine: null,
    returnLine: null,
    ...notByChannel,
    approvedAt: null,
    paidAt: null,
    confirmedAt: null,
    failedAt: null,
  };
  return story.add({ type: 'settlement written', settlement: written });
}

function isSame(settlement: Settlement, draft: SettlementDraft): boolean {
  return (Object.keys(draft) as (keyof SettlementDraft)[]).every(
    (field) => sorted(settlement[field]) === sorted(draft[field]),
  );
}

/** The database does not keep the order of keys. */
function sorted(value: unknown): string {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  return isRecord
    ? JSON.stringify(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) => [key, sorted(one)]),
      )
    : JSON.stringify(value);
}

/**
 * Money that came since the draft is not settled with it, so debits since then lower what can be paid. What the cycle
 * keeps in the wallet is for them. What is held because its money is missing is not. Money that was withheld since cannot
 * be settled: the next run drafts the rest.
 */
function approve(story: Story, settlement: Settlement, command: ApproveSettlement): Story | Rejection {
  const problem = problemOfStep('approveSettlement', settlement);
  if (problem) return problem;
  const { wallet, creditedSince, existing } = story.state;
  const { currency } = wallet;
  const { version, accountId, by } = command;
  if (version !== settlement.version || accountId !== settlement.accountId) return 'version_outdated';
  if (accountId === null) return 'no_bank_account';
  if (existing) return 'booking_no_taken';
  if (creditedSince === null) return 'version_outdated';
  const { pending, held } = settlement;
  const others = [pending, held, command.credited.amount, creditedSince].map((text) => Money.of(text, currency));
  const free = others.reduce((rest, other) => rest.minus(other), Money.of(wallet.available, currency));
  if (free.isLessThan(Money.of(settlement.amount, currency))) return 'version_outdated';
  const amount = Money.of(settlement.amount, currency);
  const left = Money.of(wallet.available, currency).minus(amount);
  if (left.isLessThan(Money.of(wallet.withheld, currency))) return 'version_outdated';
  if (isAlone(by)) return 'second_operator_needed';
  const taken = { ...entryOf(settlement), entry: 'SETTLEMENT', bookingNo: command.bookingNo } as const;
  const booked = bookEntry(story, taken, amount.negated());
  if (!booked) return 'balance_insufficient';
  return change(booked, settlement, { state: 'approved', approvedAt: story.now });
}

/** An operator claims it before the transfer at the bank. A line shows only what was transferred. */
function pay(story: Story, settlement: Settlement, command: PayOrConfirmSettlement): Story | Rejection {
  const { reference, fileNo = null, line } = command;
  const problem = line ? 'settlement_not_there' : problemOfStep('paySettlement', settlement);
  return problem ?? change(story, settlement, { state: 'paid', reference, paidAt: story.now, fileNo });
}

function send(story: Story, settlement: Settlement, command: SendSettlement): Story | Rejection {
  return problemOfStep('sendSettlement', settlement) ?? requestPayment(story, settlement, command);
}

/**
 * The bank shows the payment: two operators say so, or a line of its statement, once. What people have confirmed is not
 * proven by a line too, so no second payment is hidden.
 */
function confirm(story: Story, settlement: Settlement, command: PayOrConfirmSettlement): Story | Rejection {
  const { line, by } = command;
  if (line) {
    if (stepOfProof(settlement, 'out') !== 'moves') return 'settlement_not_there';
    const debitLine = line.isOfFile ? settlement.debitLine : line.place;
    return confirmPayment(story, { ...settlement, debitLine }, command);
  }
  const problem = problemOfStep('confirmSettlement', settlement);
  if (problem) return problem;
  // Cases hold what the channel has reported. Confirmed besides, the same money would be booked twice.
  if (story.state.payments.some(({ use }) => use === 'unasked')) return 'settlement_partly_paid';
  return isAlone(by) ? 'second_operator_needed' : confirmPayment(story, settlement, command);
}

/** A line takes the place of two operators, once. Its break posts what came back. */
function fail(story: Story, settlement: Settlement, command: FailSettlement): Story | Rejection {
  const { seen, detail, evidence, by, line } = command;
  const isProven = line && stepOfProof(settlement, 'in') === 'moves';
  const problem = line ? !isProven && 'settlement_not_there' : problemOfStep('failSettlement', settlement);
  if (problem) return problem;
  if (seen !== settlement.state) return 'version_outdated';
  if (story.state.existing) return 'booking_no_taken';
  if (line) return bringBackShown(story, { ...settlement, returnLine: line.place }, detail, line);
  // What was never downloaded cannot be paid: the file is built without it.
  if (story.state.isFileOut && evidence === undefined) return 'bank_word_needed';
  return isAlone(by) ? 'second_operator_needed' : failPayment(story, settlement, detail);
}

function bringBackShown(
  story: Story,
  settlement: Settlement,
  detail: string,
  { shown }: ProvingLine,
): Story | Rejection {
  const { channelId, paymentNo } = settlement;
  const isOfChannel = shown !== undefined && channelId !== null && paymentNo !== null;
  const sent = isOfChannel && { ...settlement, channelId, paymentNo };
  const recorded = sent ? recordShown(story, sent, shown.lines, 'in') : story;
  return bringBack(recorded, settlement, detail, { nextAction: null, nextActionAt: null, commandId: null });
}
