import { createHmac } from 'node:crypto';
import type { OpnState, StoredCharge } from './state.ts';
import { newId } from './state.ts';
import { viewCharge } from './views.ts';

export interface EventOptions {
  /** Signs with this secret (base64) instead of the account's. */
  secret?: string;
  /** Age of the signature timestamp at delivery, in seconds. */
  ageSeconds?: number;
  /** The object of the event, instead of the charge. */
  data?: Record<string, unknown>;
}

/** Sends an event about a charge, as it is now, to the webhook URL in the account's settings. */
export function sendEvent(state: OpnState, key: string, charge: StoredCharge, options: EventOptions = {}): void {
  const { server, webhookUrl, isLive } = state;
  if (webhookUrl === undefined) return;
  const id = newId(state, 'evnt');
  const body = JSON.stringify({
    object: 'event',
    id,
    livemode: isLive,
    location: `/events/${id}`,
    webhook_deliveries: [],
    data: options.data ?? viewCharge(state, charge),
    key,
    created_at: new Date(server.clock.now()).toISOString(),
  });
  server.webhooks.send({
    about: charge.description ?? charge.id,
    url: webhookUrl,
    write: () => ({ headers: signedHeaders(state, body, options), body }),
  });
}

function signedHeaders(
  { account, controls, server }: OpnState,
  body: string,
  { secret, ageSeconds = 0 }: EventOptions,
) {
  const timestamp = String(Math.floor(server.clock.now() / 1_000) - ageSeconds);
  const secrets = secret === undefined ? [account.webhookSecret, controls.previousSecret] : [secret];
  const signatures = secrets.flatMap((one) =>
    one === null
      ? []
      : createHmac('sha256', Buffer.from(one, 'base64')).update(`${timestamp}.${body}`, 'utf8').digest('hex'),
  );
  return {
    'content-type': 'application/json; charset=utf-8',
    'omise-signature': signatures.join(','),
    'omise-signature-timestamp': timestamp,
  };
}
