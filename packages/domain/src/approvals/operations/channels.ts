import * as z from 'zod';
import {
  canUse,
  findChannel,
  mapBank as map,
  setChannel as set,
  setChannelEnabled,
  withoutApi,
} from '../../channels/index.ts';
import { problemOfNotifyUrl } from '../../core/notify-url.ts';
import type { Outcome } from '../../core/rejection.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { bankCode, channelId, count, kind, matching, reference, secrets, url } from '../input-schemas.ts';
import { type Acting, onPlatform } from '../operation.ts';
import { withoutAbsent } from '../without-absent.ts';

export const setChannel = onPlatform({
  summary: 'Set a channel up, or change it; all of its credentials are given anew. Two operators have to agree.',
  roles: ['admin'],
  input: z
    .strictObject({
      channelId: channelId('2 to 32 small letters, digits or hyphens.'),
      adapter: matching('The name of an installed adapter, market or manual.', /^[a-z0-9-]{2,32}$/, 'an adapter'),
      baseUrl: url("Where the channel's API is; not for market and manual.").optional(),
      credentials: secrets('Secrets of the channel; not for market and manual.').optional(),
      payinExpirySeconds: count('How long a payin may stay unpaid, in seconds (default 1800).').optional(),
    })
    .superRefine(({ adapter, baseUrl, credentials }, context) => {
      const given = { baseUrl, credentials };
      for (const [path, value] of withoutApi.includes(adapter) ? [] : Object.entries(given))
        if (value === undefined) context.addIssue({ code: 'custom', path: [path], message: 'is missing' });
    }),
  subject: (input) => input.channelId,
  needsSecond: () => true,
  async execute({ domain, by }, { credentials = {}, baseUrl = '', channelId, ...rest }) {
    if (!canUse(domain, rest.adapter)) {
      const reason = `must be one of ${[...domain.adapterNames, ...withoutApi].join(', ')}`;
      return { ok: false, rejection: 'invalid_input', fields: [{ path: 'adapter', reason }] };
    }
    // Judged by its text here, as URLs of notifications are, and by its addresses when it is called.
    const problem = baseUrl === '' ? null : problemOfNotifyUrl(baseUrl, domain.channelNetworks);
    if (problem !== null)
      return { ok: false, rejection: 'invalid_input', fields: [{ path: 'baseUrl', reason: problem }] };
    const plain = { baseUrl, ...withoutAbsent(rest) };
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
  summary: 'Let new orders through a channel again.',
  roles: ['admin'],
  input: named,
  subject: ({ channelId }) => channelId,
  execute: (acting, { channelId }) => setEnabled(acting, channelId, true),
});

export const disableChannel = onPlatform({
  summary: 'Let no new orders through a channel; what was sent through it is followed to its end.',
  roles: ['admin'],
  input: named,
  subject: ({ channelId }) => channelId,
  execute: (acting, { channelId }) => setEnabled(acting, channelId, false),
});

async function setEnabled(
  { domain, by }: Acting,
  channelId: string,
  enabled: boolean,
): Promise<Outcome<{ channelId: string; enabled: boolean }>> {
  return changeConfiguration(domain, { tenant: platformTenant, change: 'setChannelEnabled' }, by, async (within) => {
    const entity = await setChannelEnabled(within, channelId, enabled);
    if (!entity) return { ok: false, rejection: 'channel_not_found' };
    if (enabled && !canUse(domain, entity.adapter)) {
      const reason = `has the adapter ${entity.adapter}, which is not installed here; production has no sandbox's`;
      return { ok: false, rejection: 'invalid_input', fields: [{ path: 'channelId', reason }] };
    }
    const value = { channelId, enabled };
    return { ok: true, value: { subject: channelId, entity, fields: ['enabled'], value } };
  });
}

export const mapBank = onPlatform({
  summary: 'Say what a channel calls one of our bank codes.',
  roles: ['admin'],
  input: z.strictObject({
    channelId: channelId(),
    kind: kind(),
    bankCode: bankCode('Our code.'),
    channelBankCode: reference("The channel's own code."),
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
