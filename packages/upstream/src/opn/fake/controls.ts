import { randomBytes } from 'node:crypto';
import { sendEvent } from './events.ts';
import { expire, fail, pay } from './payer.ts';
import { chargeOf, type OpnState } from './state.ts';
import { viewCharge } from './views.ts';

/**
 * Controls of this provider, next to the common ones. `charge` is the description or id of a charge.
 *
 * - `charges` { charge }: all charges with this description
 * - `change` { charge, to: pay | fail | expire | reopen | amount, satang? }
 * - `event` { charge, key?, signedBy?: another_account, ageSeconds? }: sends a webhook about it
 * - `early` {}: the next create is paid, and its webhook comes, before its answer, which waits for `early` { end: true }
 * - `search-lag` { seconds }: younger charges are not found by searches
 * - `rotate-secret` {}: answers the new webhook secret
 * - `qr-text` { isGiven }: whether charges have the text of their QR code
 */
export function addControls(state: OpnState): void {
  const { server, controls, account } = state;
  server.addControl('charges', ({ charge }) => {
    const found = state.charges.all().filter(({ description }) => description === charge);
    return { charges: found.map((one) => viewCharge(state, one)) };
  });
  server.addControl('change', ({ charge, to, satang }) => change(state, String(charge), String(to), Number(satang)));
  server.addControl('event', ({ charge, key, signedBy, ageSeconds }) => {
    sendEvent(state, String(key ?? 'charge.complete'), chargeOf(state, charge), {
      ...(signedBy === 'another_account' && { secret: randomBytes(32).toString('base64') }),
      ageSeconds: Number(ageSeconds ?? 0),
    });
  });
  let answerNow = () => {};
  server.addControl('early', ({ end }) => {
    if (end === true) return answerNow();
    controls.answerNextAfter = new Promise((resolve) => {
      answerNow = resolve;
    });
  });
  server.addControl('search-lag', ({ seconds }) => {
    controls.searchLagMs = Number(seconds ?? 0) * 1_000;
  });
  server.addControl('rotate-secret', () => {
    controls.previousSecret = account.webhookSecret;
    account.webhookSecret = randomBytes(32).toString('base64');
    return { webhookSecret: account.webhookSecret };
  });
  server.addControl('qr-text', ({ isGiven }) => {
    controls.givesQrText = isGiven === true;
  });
}

function change(state: OpnState, about: string, to: string, satang: number): void {
  const charge = chargeOf(state, about);
  const { id } = charge;
  const changes: Record<string, () => void> = {
    pay: () => pay(state, id, ['pending', 'failed', 'expired']),
    fail: () => fail(state, id, 'payment_rejected'),
    expire: () => expire(state, id),
    reopen: () => state.charges.put(id, { ...charge, status: 'pending', paidAt: null }),
    amount: () => state.charges.put(id, { ...charge, amount: satang }),
  };
  if (!Object.hasOwn(changes, to)) throw new Error(`to is one of ${Object.keys(changes).join(', ')}`);
  changes[to]?.();
}
