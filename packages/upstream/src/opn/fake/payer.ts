import { sendEvent } from './events.ts';
import type { OpnState, StoredCharge } from './state.ts';

const payAfterSeconds = 2;
const payLateAfterSeconds = 4;

/** What the payer does with a charge, by the last two digits of its amount. */
export function startPayer(state: OpnState, { id, fate }: StoredCharge): void {
  const later = (seconds: number, act: () => void) => state.server.after(seconds, act);
  const step = {
    open: () => {},
    refused: () => {},
    paid: () => pay(state, id),
    returned: () => pay(state, id),
    fails: () => fail(state, id, 'payment_rejected'),
    other_amount: () => fail(state, id, 'confirmed_amount_mismatch'),
    expires: () => expire(state, id),
    paid_late: () => {
      expire(state, id);
      later(payLateAfterSeconds, () => pay(state, id, ['expired']));
    },
  }[fate];
  later(payAfterSeconds, step);
}

export function pay(state: OpnState, id: string, from: string[] = ['pending']): void {
  const paidAt = state.server.clock.now();
  change(state, id, from, 'charge.complete', { status: 'successful', paidAt, failureCode: null });
}

export function fail(state: OpnState, id: string, failureCode: string): void {
  change(state, id, ['pending'], 'charge.complete', { status: 'failed', failureCode });
}

/** Opn sets both times to now when a charge is expired on request. */
export function expire(state: OpnState, id: string): void {
  const now = state.server.clock.now();
  change(state, id, ['pending'], 'charge.expire', { status: 'expired', expiredAt: now, expiresAt: now });
}

/** Expires a charge whose time is over. */
export function refresh(state: OpnState, charge: StoredCharge): StoredCharge {
  if (charge.status === 'pending' && charge.expiresAt <= state.server.clock.now()) expire(state, charge.id);
  return state.charges.get(charge.id) ?? charge;
}

function change(state: OpnState, id: string, from: string[], key: string, changed: Partial<StoredCharge>): void {
  const charge = state.charges.get(id);
  if (charge === undefined || !from.includes(charge.status)) return;
  const next = { ...charge, ...changed };
  state.charges.put(id, next);
  sendEvent(state, key, next);
}
