import type { Country } from './country.ts';
import type { OrderKind, OrderStatus } from './order.ts';

/** The triggers of an order's transitions. */
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
  /** The claim ran out, and its operator is asked whether they paid; the status stays. */
  | 'claimant_asked'
  | 'proof_accepted'
  /** Sent to the next channel after an outright refusal; the status stays. */
  | 'rerouted';

/** A permanent record of a change of an order's status. */
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
  /** Number of the ledger-chain entry that covers it. */
  readonly batchNo: number;
}

/** One row of a country's table: from any of these statuses, by this trigger, to that status. */
export interface TransitionRow {
  readonly from: readonly (OrderStatus | 'new')[];
  readonly trigger: Trigger;
  readonly to: OrderStatus;
}

/** A row of the whole table: of one kind of order of one country. */
export interface TransitionRule extends TransitionRow {
  readonly kind: OrderKind;
  readonly country: Country;
}

/** The status after `trigger` in the status `from`; null if no row allows it. */
export type FindTransition = (
  kind: OrderKind,
  country: Country,
  from: OrderStatus | 'new',
  trigger: Trigger,
) => OrderStatus | null;

/**
 * Makes the look-up of a transition table. A transition that is not in it is impossible; a trigger of the database
 * refuses it too.
 */
export function tableOfTransitions(rules: readonly TransitionRule[]): FindTransition {
  const targets = new Map(
    rules.flatMap(({ kind, country, from, trigger, to }) =>
      from.map((status) => [`${kind} ${country} ${status} ${trigger}`, to] as const),
    ),
  );
  return (kind, country, from, trigger) => targets.get(`${kind} ${country} ${from} ${trigger}`) ?? null;
}
