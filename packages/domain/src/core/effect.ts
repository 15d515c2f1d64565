import { hash } from 'node:crypto';
import type { Approval } from './approval.ts';
import type { LedgerEvent } from './events.ts';
import type { Rejection } from './rejection.ts';
import { moneyThatLeft } from './settle-payout.ts';
import type { State } from './state.ts';
import type { Story } from './story.ts';
import type { WalletEntry } from './wallet.ts';

/**
 * What a decision does to money, statuses and merchants' notifications, a sentence for each. Sentences have no running
 * numbers, times or balances: those differ from one moment to the next, although the decision does the same.
 */
export type Effect = readonly string[];

export function effectOf({ events, state }: Pick<Story, 'events' | 'state'>): Effect {
  const sentences = events.map(sentenceOf).filter((sentence) => sentence !== null);
  const borne = events.some(isRelease) ? borneBy(state) : null;
  return borne === null ? sentences : [...sentences, borne];
}

const isRelease = (event: LedgerEvent): boolean => event.type === 'entry made' && event.entry.type === 'PAYOUT_RELEASE';

function borneBy(state: State): string | null {
  const { order } = state;
  const left = order && moneyThatLeft(state, order);
  return left && !left.isZero() ? `${left} has left for order ${order.orderNo} already: the platform bears it` : null;
}

function sentenceOf(event: LedgerEvent): string | null {
  switch (event.type) {
    case 'order created':
    case 'order moved': {
      const { orderNo, from, to } = event.transition;
      return from === to ? null : `order ${orderNo} becomes ${to}`;
    }
    case 'entry made':
      return `wallet of ${event.entry.merchantId}: ${changesOf(event.entry)} (${event.entry.type})`;
    case 'transfer posted': {
      const { merchantId, debit, credit, currency, amount } = event.transfer;
      return `${amount} ${currency} from ${debit} to ${credit} (${merchantId})`;
    }
    case 'case opened':
      return `a case of ${event.opened.merchantId} over ${event.opened.amount} opens: ${event.opened.kind}`;
    case 'case closed':
      return `case ${event.closed.caseNo} of ${event.closed.merchantId} over ${event.closed.amount} becomes ${event.closed.state}`;
    case 'case repaid':
      return `${event.part} of case ${event.repaid.caseNo} of ${event.repaid.merchantId} came back`;
    case 'refund requested':
    case 'refund changed': {
      const { merchantId, caseNo, state, amount } = event.refund;
      return `refund of ${amount} for case ${caseNo} of ${merchantId} becomes ${state}`;
    }
    case 'settlement written': {
      const { settlementNo, state, amount } = event.settlement;
      return `settlement ${settlementNo} over ${amount} becomes ${state}`;
    }
    case 'notification due': {
      const { merchantId, orderNo, status } = event.notification;
      return `${merchantId} is notified: order ${orderNo} is ${status}`;
    }
    case 'order changed':
    case 'payment recorded':
    case 'case reserved':
    case 'audit recorded':
    case 'approval requested':
    case 'approval decided':
    case 'limit used':
      return null;
    default:
      return event satisfies never;
  }
}

function changesOf({ availableChange, frozenChange }: WalletEntry): string {
  const changes = [signed('available', availableChange), signed('frozen', frozenChange)];
  return changes.filter((change) => change !== null).join(', ') || 'no change';
}

function signed(name: string, change: string): string | null {
  if (change === '0.00') return null;
  return `${name} ${change.startsWith('-') ? '' : '+'}${change}`;
}

/** The text that an approval keeps, sentence by sentence. Equal texts are equal effects. */
export function effectText(effect: Effect): string {
  return effect.join('\n');
}

/** A digest of a kept effect, for the audit record of its request. */
export function effectDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Two people agree to an effect, not to a name: `effect_changed` if the operation would do anything else to money or
 * to a status than at its request.
 */
export function problemOfEffect(approval: Approval | null, effect: Effect): Rejection | null {
  const agreed = approval?.effect ?? null;
  return agreed === null || agreed === effectText(effect) ? null : 'effect_changed';
}
