import * as z from 'zod';
import {
  type ChannelAccess,
  canUse,
  findChannel,
  mapBank as map,
  setChannel as set,
  setChannelEnabled,
  withoutApi,
} from '../../channels/index.ts';
import { problemOfNotifyUrl } from '../../core/notify-url.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Outcome, Refused } from '../../core/rejection.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { bankCode, channelId, count, kind, matching, reference, secrets, url } from '../input-schemas.ts';
import { type OperationContext, onPlatform } from '../operation.ts';

export const setChannel = onPlatform({
  summary: 'Create or change a channel. Send all its credentials each time. Needs a second operator.',
  roles: ['admin'],
  input: z
    .strictObject({
      channelId: channelId('Channel id: 2 to 32 lowercase letters, digits or hyphens.'),
      adapter: matching('Name of an installed adapter, or `market` or `manual`.', /^[a-z0-9-]{2,32}$/, 'an adapter'),
      baseUrl: url("Base URL of the channel's API. Not for `market` and `manual`.").optional(),
      credentials: secrets('Credentials of the channel. Not for `market` and `manual`.').optional(),
      payinExpirySeconds: count('Time after which an unpaid payin expires, in seconds. Default: 1800.').optional(),
    })
    .superRefine(({ adapter, baseUrl, credentials }, context) => {
      const given = { baseUrl, credentials };
      for (const [path, value] of withoutApi.includes(adapter) ? [] : Object.entries(given))
        if (value === undefined) context.addIssue({ code: 'custom', path: [path], message: 'is missing' });
    }),
  subject: (input) => input.channelId,
  versioned: 'channel',
  needsSecond: () => true,
  async execute({ domain, by }, { credentials = {}, baseUrl = '', channelId, ...rest }) {
    if (!canUse(domain, rest.adapter)) {
      const reason = `must be one of ${[...domain.adapterNames, ...withoutApi].join(', ')}`;
      return { ok: false, rejection: 'invalid_input', fields: [{ path: 'adapter', reason }] };
    }
    // Only the text of the URL is checked here, as for notification URLs. Its addresses are checked at each call.
    const problem = baseUrl === '' ? null : problemOfNotifyUrl(baseUrl, domain.channelNetworks);
    if (problem !== null)
      return { ok: false, rejection: 'invalid_input', fields: [{ path: 'baseUrl', reason: problem }] };
    const plain = { baseUrl, ...omitUndefined(rest) };
    const where = { tenant: platformTenant, change: 'setChannel' };
    return changeConfiguration(domain, where, by, async (within) => {
      const entity = await set(within, { channelId, credentials, ...plain });
      const credentialNames = Object.keys(credentials);
      const value = { channelId, ...plain, credentialNames };
      return { ok: true, value: { subject: channelId, entity, after: { credentialNames }, value } };
    });
  },
});

const named = z.strictObject({ channelId: channelId() });

export const enableChannel = onPlatform({
  summary: 'Route new orders to a channel again.',
  roles: ['admin'],
  input: named,
  subject: ({ channelId }) => channelId,
  versioned: 'channel',
  execute: (context, { channelId }) => setEnabled(context, channelId, true),
});

export const disableChannel = onPlatform({
  summary: 'Stop routing new orders to a channel. Open orders continue.',
  roles: ['admin'],
  input: named,
  subject: ({ channelId }) => channelId,
  versioned: 'channel',
  execute: (context, { channelId }) => setEnabled(context, channelId, false),
});

/** Why a channel of this adapter cannot be enabled; null if it can. */
export function problemOfAdapter(domain: Pick<ChannelAccess, 'adapterNames'>, adapter: string): Refused | null {
  if (canUse(domain, adapter)) return null;
  const reason = `has the adapter ${adapter}, which is not installed here; production has no sandbox's`;
  return { ok: false, rejection: 'invalid_input', fields: [{ path: 'channelId', reason }] };
}

async function setEnabled(
  { domain, by }: OperationContext,
  channelId: string,
  enabled: boolean,
): Promise<Outcome<{ channelId: string; enabled: boolean }>> {
  return changeConfiguration(domain, { tenant: platformTenant, change: 'setChannelEnabled' }, by, async (within) => {
    const entity = await setChannelEnabled(within, channelId, enabled);
    if (!entity) return { ok: false, rejection: 'channel_not_found' };
    const problem = enabled ? problemOfAdapter(domain, entity.adapter) : null;
    if (problem) return problem;
    const value = { channelId, enabled };
    return { ok: true, value: { subject: channelId, entity, fields: ['enabled'], value } };
  });
}

export const mapBank = onPlatform({
  summary: 'Map a bank code to the code of a channel.',
  roles: ['admin'],
  input: z.strictObject({
    channelId: channelId(),
    kind: kind(),
    bankCode: bankCode('Bank code that merchants send.'),
    channelBankCode: reference('Bank code of the channel.'),
  }),
  subject: ({ channelId, kind, bankCode }) => `${channelId} ${kind} ${bankCode}`,
  execute: ({ domain, by }, mapping) =>
    changeConfiguration(domain, { tenant: platformTenant, change: 'mapBank' }, by, async (within) => {
      const { channelId, kind, bankCode } = mapping;
      if (!(await findChannel(within, channelId))) return { ok: false, rejection: 'channel_not_found' };
      const entity = await map(within, mapping);
      return { ok: true, value: { subject: `${channelId} ${kind} ${bankCode}`, entity, value: mapping } };
    }),
});
