import { type Country, countries } from './country.ts';
import type { OrderKind, OrderStatus } from './order.ts';

/** What can happen to an order. */
export type Trigger =
  | 'created'
  | 'begun'
  | 'channel_accepted'
  | 'channel_refused'
  | 'channel_failed'
  | 'channel_unanswered'
  | 'unpaid'
  | 'part_paid'
  | 'paid'
  | 'funds_confirmed_in_part'
  | 'funds_confirmed'
  | 'operator_cancelled'
  | 'case_credited'
  | 'task_listed'
  | 'task_claimed'
  | 'claim_ended'
  | 'proof_accepted'
  /** Passed on to the next channel after an outright refusal; the status stays. */
  | 'rerouted';

/** A change of an order's status, kept for ever. */
export interface Transition {
  readonly merchantId: string;
  readonly orderNo: string;
  /** 1, 2, 3 … within the order. */
  readonly seq: number;
  readonly from: OrderStatus | 'new';
  readonly to: OrderStatus;
  readonly trigger: Trigger;
  readonly actor: string;
  readonly detail: string | null;
  readonly at: number;
  /** The link of the merchant's ledger chain that covers it; null: written before there was one. */
  readonly batchNo: number | null;
}

export interface TransitionRule {
  kind: OrderKind;
  countries: readonly Country[];
  from: readonly (OrderStatus | 'new')[];
  trigger: Trigger;
  to: OrderStatus;
}

const all = countries;
const open: OrderStatus[] = ['created', 'processing'];
const openOrPart: OrderStatus[] = ['created', 'processing', 'partial_paid'];

/**
 * Every transition of every order (decisions 5.2 and 5.3), one row each. What is not here is impossible: `transition` refuses it,
 * and so does a trigger in the database, whose copy of this table a test compares.
 */
// biome-ignore format: a table is read by its columns
export const transitionRules: readonly TransitionRule[] = [
  { kind: 'payin', countries: all, from: ['new'], trigger: 'created', to: 'created' },
  { kind: 'payin', countries: ['IN'], from: ['created'], trigger: 'begun', to: 'processing' },
  { kind: 'payin', countries: all, from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { kind: 'payin', countries: all, from: open, trigger: 'channel_refused', to: 'failed' },
  { kind: 'payin', countries: all, from: open, trigger: 'channel_failed', to: 'failed' },
  { kind: 'payin', countries: ['TH', 'IN'], from: open, trigger: 'channel_unanswered', to: 'timeout' },
  { kind: 'payin', countries: ['CN', 'PK'], from: open, trigger: 'channel_unanswered', to: 'failed' },
  { kind: 'payin', countries: ['TH'], from: openOrPart, trigger: 'part_paid', to: 'partial_paid' },
  { kind: 'payin', countries: ['TH'], from: ['created'], trigger: 'funds_confirmed_in_part', to: 'partial_paid' },
  { kind: 'payin', countries: ['TH'], from: ['created'], trigger: 'funds_confirmed', to: 'completed' },
  { kind: 'payin', countries: ['TH'], from: openOrPart, trigger: 'paid', to: 'completed' },
  { kind: 'payin', countries: ['CN', 'IN', 'PK'], from: open, trigger: 'paid', to: 'completed' },
  { kind: 'payin', countries: ['TH'], from: openOrPart, trigger: 'unpaid', to: 'timeout' },
  { kind: 'payin', countries: ['IN'], from: open, trigger: 'unpaid', to: 'timeout' },
  { kind: 'payin', countries: ['CN', 'PK'], from: open, trigger: 'unpaid', to: 'cancelled' },
  { kind: 'payin', countries: all, from: open, trigger: 'operator_cancelled', to: 'cancelled' },
  { kind: 'payin', countries: ['TH', 'IN'], from: ['failed', 'timeout', 'cancelled'], trigger: 'case_credited', to: 'completed' },
  { kind: 'payin', countries: ['CN', 'PK'], from: ['failed', 'cancelled'], trigger: 'case_credited', to: 'completed' },

  { kind: 'payout', countries: ['IN', 'PK'], from: ['new'], trigger: 'created', to: 'created' },
  { kind: 'payout', countries: ['IN'], from: ['created'], trigger: 'begun', to: 'processing' },
  { kind: 'payout', countries: ['PK'], from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { kind: 'payout', countries: ['PK'], from: ['created'], trigger: 'task_listed', to: 'market_available' },
  { kind: 'payout', countries: ['PK'], from: ['market_available'], trigger: 'task_claimed', to: 'processing' },
  { kind: 'payout', countries: ['PK'], from: ['processing'], trigger: 'claim_ended', to: 'market_available' },
  { kind: 'payout', countries: ['PK'], from: open, trigger: 'proof_accepted', to: 'completed' },
  { kind: 'payout', countries: ['IN', 'PK'], from: open, trigger: 'paid', to: 'completed' },
  { kind: 'payout', countries: ['IN', 'PK'], from: open, trigger: 'channel_refused', to: 'failed' },
  { kind: 'payout', countries: ['IN', 'PK'], from: open, trigger: 'channel_failed', to: 'failed' },
  { kind: 'payout', countries: ['IN'], from: ['processing'], trigger: 'unpaid', to: 'timeout' },
  { kind: 'payout', countries: ['PK'], from: open, trigger: 'unpaid', to: 'failed' },
  { kind: 'payout', countries: ['IN'], from: open, trigger: 'operator_cancelled', to: 'cancelled' },
  { kind: 'payout', countries: ['PK'], from: ['created', 'market_available', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
];

const targets: ReadonlyMap<string, OrderStatus> = new Map(
  transitionRules.flatMap(({ kind, countries: its, from, trigger, to }) =>
    its.flatMap((country) => from.map((status) => [`${kind} ${country} ${status} ${trigger}`, to] as const)),
  ),
);

/** Where `trigger` takes such an order from `from`; null where the table has no such row. */
export function transition(
  kind: OrderKind,
  country: Country,
  from: OrderStatus | 'new',
  trigger: Trigger,
): OrderStatus | null {
  return targets.get(`${kind} ${country} ${from} ${trigger}`) ?? null;
}
