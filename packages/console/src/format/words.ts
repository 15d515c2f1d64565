import type { NotificationHold, NotificationState, OrderKind, OrderStatus } from '../generated/documents.generated.ts';

/** How good a state is: it chooses the colour. The words carry the meaning. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

export interface Word {
  label: string;
  tone: Tone;
}

/** An order or a channel that moves no real money. */
export const testWord: Word = { label: 'Test', tone: 'warn' };

/** Statuses of orders in plain words. */
export const orderStatusWords: Readonly<Record<OrderStatus, Word>> = {
  CREATED: { label: 'New', tone: 'info' },
  PROCESSING: { label: 'In progress', tone: 'info' },
  MARKET_AVAILABLE: { label: 'Task market', tone: 'info' },
  PARTIAL_PAID: { label: 'Partly paid', tone: 'warn' },
  COMPLETED: { label: 'Completed', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  TIMEOUT: { label: 'Expired', tone: 'idle' },
  CANCELLED: { label: 'Cancelled', tone: 'idle' },
};

/** Payin or payout. */
export const orderKindWords: Readonly<Record<OrderKind, Word>> = {
  PAYIN: { label: 'Payin', tone: 'idle' },
  PAYOUT: { label: 'Payout', tone: 'idle' },
};

/** Payin and payout to choose from. */
export const orderKindOptions = Object.entries(orderKindWords).map(([value, { label }]) => ({ value, label }));

/** Delivery states of notifications. */
export const notificationStateWords: Readonly<Record<NotificationState, Word>> = {
  PENDING: { label: 'Not delivered yet', tone: 'warn' },
  DELIVERED: { label: 'Delivered', tone: 'good' },
  EXHAUSTED: { label: 'Given up', tone: 'bad' },
};

/** Why a notification that is due is not sent. */
export const notificationHoldWords: Readonly<Record<NotificationHold, string>> = {
  HOST: 'The host is busy or does not respond',
  ORDER: 'An earlier notification of this order comes first',
  PAUSE: "The merchant's notifications are paused",
};

/** Countries by their code. */
export const countryNames: Readonly<Record<string, string>> = {
  CN: 'China',
  IN: 'India',
  PK: 'Pakistan',
  TH: 'Thailand',
};

/** Roles of operators. */
export const roleWords: Readonly<Record<string, string>> = {
  ADMIN: 'admin',
  FINANCE: 'finance',
  OPERATOR: 'operator',
  SUPPORT: 'support',
  VIEWER: 'viewer',
};

/** Why orders failed: the reasons by which lists are filtered. */
export const failureWords: Readonly<Record<string, string>> = {
  'rejected by the payment channel': 'Rejected by the payment channel',
  'payment failed': 'Payment failed',
  'the payment channel did not answer in time': 'The payment channel did not answer in time',
  'not paid in time': 'Not paid, or not in full, in time',
};

/** Why orders moved, in words. */
const triggerWords: Readonly<Record<string, string>> = {
  begun: 'Begun',
  channel_refused: 'Refused by the channel',
  channel_failed: 'Failed at the channel',
  channel_unanswered: 'The channel did not answer',
  unpaid: 'Not paid in full in time',
  paid: 'Paid in full',
  part_paid: 'A part was paid',
  funds_confirmed: 'Funds confirmed in full',
  funds_confirmed_in_part: 'Funds confirmed in part',
  case_credited: 'A case was credited',
  rerouted: 'Sent to the next channel',
};

/** The trigger of an order's transition, in words. */
export function triggerLabel(trigger: string): string {
  return triggerWords[trigger] ?? plainWords(trigger);
}

/** A message of the API as a sentence. */
export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** A code such as `PAYOUT_RETURN` or `createOrder` as words, where no better word is known. */
export function plainWords(code: string): string {
  const words = code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return text.replace(/\bcsv\b/i, 'CSV');
}
