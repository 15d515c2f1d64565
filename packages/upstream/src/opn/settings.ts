import { createHash } from 'node:crypto';
import {
  type CallLimiter,
  type ChannelMemory,
  type ChannelSettings,
  type CredentialField,
  UnusableSettings,
} from '@tidegate/domain/channels';
import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import type { HttpClient } from '../provider/http-client.ts';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { secureUrl } from '../provider/read-base-url.ts';
import { readParts } from '../provider/read-parts.ts';
import { basicAuthorization, readWebhookSecret } from './signing.ts';

/** An account at Opn, and what is needed to call it. */
export interface OpnAccount {
  channelId: string;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Whether the key is for real money. Charges of the other mode are never ours. */
  isLive: boolean;
  authorization: string;
  /** Tells accounts apart for the rate limiter. Contains no secret. */
  limiterAccount: string;
  webhookSecret: Uint8Array;
  memory: ChannelMemory;
  http: HttpClient;
  limiter: CallLimiter;
}

export const credentialFields: readonly CredentialField[] = [
  {
    name: 'secretKey',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Secret key',
    isSecret: true,
    isRequired: true,
    help: 'Dashboard, Keys: begins with skey_, or with skey_test_ in test mode.',
  },
  {
    name: 'webhookSecret',
    purposes: ['callback'],
    label: 'Webhook secret',
    isSecret: true,
    isRequired: true,
    help: 'Dashboard, Webhooks, of the same mode as the secret key: a text in base64.',
  },
];

const credentials = z.object({
  secretKey: matchingText(74, /^skey_(test_)?[0-9a-z]{5,64}$/, 'must begin with skey_ or skey_test_', 'is missing'),
  webhookSecret: boundedText(4_096, 'is missing').transform((text, context) => {
    const secret = readWebhookSecret(text);
    if (secret === null) context.addIssue({ code: 'custom', message: 'must be a string in base64' });
    return secret ?? new Uint8Array();
  }),
});

/** Reads a channel's settings. Throws `UnusableSettings` for those that cannot be used. */
export function openAccount(settings: ChannelSettings, { http, limiter }: ChannelTools): OpnAccount {
  const { channelId, memory } = settings;
  const { baseUrl, entered } = readParts(settings, credentials, secureUrl);
  const { secretKey, webhookSecret } = entered;
  const isLive = !secretKey.startsWith('skey_test_');
  if (isLive && !baseUrl.startsWith('https:'))
    throw new UnusableSettings(channelId, [
      { path: 'baseUrl', reason: 'must be an https URL: the secret key is for real money' },
    ]);
  return {
    channelId,
    baseUrl,
    memory,
    http,
    limiter,
    webhookSecret,
    isLive,
    authorization: basicAuthorization(secretKey),
    limiterAccount: `opn:${createHash('sha256').update(secretKey).digest('hex').slice(0, 16)}`,
  };
}
