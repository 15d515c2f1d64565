import { bookEntry } from './book-wallet.ts';
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
  type Settlement,
  type SettlementCommand,
  type SettlementDraft,
  stepOfProof,
} from './settlement.ts';
import { bringBack, change, entryOf } from './settlement-bookings.ts';
import { recordShown } from './settlement-movements.ts';
import { applyPayment, claimPayment, confirmPayment, failPayment, requestPayment } from './settlement-payment.ts';
import type { Story } from './story.ts';

/** Decides a command about a settlement. Money moves when it is approved, and when it comes back. */
export function decideSettlement(story: Story, command: SettlementCommand): Story | Rejection {
  if (command.type === 'draftSettlement') return storeDraft(story, command);
  const { settlement } = story.state;
  if (!settlement) return 'settlement_not_found';
  if (command.type === 'claimSettlementPayment') return claimPayment(story, settlement, command);
  if (command.type === 'applySettlementPayment') return applyPayment(story, settlement, command);
  if ('line' in command && command.line) return prove(story, settlement, { ...command, line: command.line });
  const problem = problemOfStep(command.type, settlement);
  if (problem) return problem;
  switch (command.type) {
    case 'approveSettlement':
      return approve(story, settlement, command);
    case 'failSettlement':
      return fail(story, settlement, command);
    case 'paySettlement':
      return change(story, settlement, {
        state: 'paid',
        reference: command.reference,
        paidAt: story.now,
        fileNo: command.fileNo ?? null,
      });
    case 'sendSettlement':
      return requestPayment(story, settlement, command);
    case 'confirmSettlement':
      // Cases hold what the channel has reported. Confirmed besides, the same money would be booked twice.
      if (story.state.payments.some(({ use }) => use === 'unasked')) return 'settlement_partly_paid';
      return isAlone(command.by) ? 'second_operator_needed' : confirmPayment(story, settlement, command);
    default:
      return command satisfies never;
  }
}

type Proof = (PayOrConfirmSettlement | FailSettlement) & { line: ProvingLine };

/**
 * A statement line proves only once. A settlement that people have confirmed or failed is not proven by a line, so no
 * second payment is hidden.
 */
function prove(story: Story, settlement: Settlement, command: Proof): Story | Rejection {
  if (command.type === 'paySettlement') return 'settlement_not_there';
  const { place, isOfFile } = command.line;
  const isReturn = command.type === 'failSettlement';
  if (stepOfProof(settlement, isReturn ? 'in' : 'out') !== 'moves') return 'settlement_not_there';
  if (isReturn) return fail(story, { ...settlement, returnLine: place }, command);
  const proven = { ...settlement, debitLine: isOfFile ? settlement.debitLine : place };
  return confirmPayment(story, proven, command);
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

/** A line takes the place of two operators. Its break posts what came back. */
function fail(
  story: Story,
  settlement: Settlement,
  { seen, detail, evidence, by, line }: FailSettlement,
): Story | Rejection {
  if (seen !== settlement.state) return 'version_outdated';
  if (story.state.existing) return 'booking_no_taken';
  if (line) return bringBackShown(story, settlement, detail, line);
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
