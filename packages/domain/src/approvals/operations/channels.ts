import * as z from 'zod';
import {
  type ChannelAccess,
  canKeepCredentials,
  canUse,
  findChannel,
  mapBank as map,
  modeAfter,
  packed,
  problemsOfModeAfter,
  problemsOfSettings,
  readEntered,
  sealCredentials,
  seenOf,
  setChannel as set,
  setChannelEnabled,
  withoutApi,
} from '../../channels/index.ts';
import { type DeclaredMode, declarableModes } from '../../core/environment.ts';
import { problemOfNotifyUrl } from '../../core/notify-url.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome, Refused } from '../../core/rejection.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import {
  bankCode,
  channelId,
  choice,
  count,
  evidence,
  kind,
  matching,
  reference,
  secretNames,
  secrets,
  url,
} from '../input-schemas.ts';
import { changedSettings } from '../labels.ts';
import { type OperationContext, onPlatform } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

export const setChannel = onPlatform({
  summary:
    'Create or change a channel. Omitted fields stay unchanged, and so do credentials that are not named. An account of the other environment is refused: production takes live accounts only. Needs a second operator.',
  title: ({ adapter, ...others }) => changedSettings(others, `Use the adapter ${adapter}`),
  roles: ['admin'],
  input: z.strictObject({
    channelId: channelId('Channel id: 2 to 32 lowercase letters, digits or hyphens.'),
    adapter: matching('Name of an installed adapter, or `market` or `manual`.', /^[a-z0-9-]{2,32}$/, 'an adapter'),
    baseUrl: url(
      "Base URL of the channel's API. Not for `market` and `manual`. Another host or adapter needs all credentials again.",
    ).optional(),
    credentials: secrets('Credentials to set. Not for `market` and `manual`. The others stay as they are.').optional(),
    removedCredentials: secretNames('Names of credentials to remove.').optional(),
    payinExpirySeconds: count(
      'Time after which an unpaid payin expires, in seconds. Default for a new channel: 1800.',
    ).optional(),
    declaredMode: choice(
      'What the account is for, where its key and host do not show it. Production needs it there. A declaration ends when key or host change.',
      declarableModes,
    ).optional(),
    modeEvidence: evidence('How you know what the account is for, for example a letter of the provider.').optional(),
  }),
  subject: (input) => input.channelId,
  versioned: 'channel',
  creates: true,
  needsSecond: always,
  // Until they are approved, credentials wait sealed for their channel: the approver's process cannot open them.
  pin: async (given, _, domain) => {
    const input = readEntered(given);
    const { credentials } = input;
    if (credentials === undefined) return input;
    const { seen } = modeAfter(domain, input, await findChannel(domain, input.channelId));
    const sealed = Object.entries(sealCredentials(domain, input, credentials));
    return { ...input, credentials: Object.fromEntries(sealed.map(([name, boxes]) => [name, packed(boxes, seen)])) };
  },
  async execute({ domain, by }, input) {
    const { channelId, adapter, baseUrl, credentials = {} } = input;
    if (!canUse(domain, adapter))
      return invalid('adapter', `must be one of ${[...Object.keys(domain.adapters), ...withoutApi].join(', ')}`);
    // Only the text of the URL is checked here, as for notification URLs. Its addresses are checked at each call.
    const problem = baseUrl === undefined ? null : problemOfNotifyUrl(baseUrl, domain.channelNetworks);
    if (problem !== null) return invalid('baseUrl', problem);
    const where = { tenant: platformTenant, change: 'setChannel' };
    return changeConfiguration(domain, where, by, async (within) => {
      const known = await findChannel(within, channelId);
      const found = problemsOfSettings(domain, input, known);
      const fields = found.length > 0 ? found : problemsOfModeAfter(domain, input, known);
      if (fields.length > 0) return { ok: false, rejection: 'invalid_input', fields };
      const keepsCredentials = known !== null && canKeepCredentials(input, known);
      const { seen, mode, keepsDeclaration } = modeAfter(domain, input, known);
      const { entity, namesBefore, names } = await set(
        { ...within, adapters: domain.adapters },
        {
          ...input,
          keepsCredentials,
          keepsDeclaration,
          mode: mode === 'mixed' ? undefined : mode,
          seen: seenOf(seen, input, known),
          declaration: declarationOf(input, by),
        },
      );
      const credentialsSet = Object.keys(credentials);
      const before = { credentialNames: namesBefore };
      const after = { credentialNames: names, ...(credentialsSet.length > 0 && { credentialsSet }) };
      const { payinExpirySeconds } = entity;
      const value = { channelId, adapter, baseUrl: entity.baseUrl, payinExpirySeconds, credentialNames: names };
      return { ok: true, value: { subject: channelId, entity, before, after, value } };
    });
  },
});

/** The declaration of a request; the approver is known when it is executed. */
function declarationOf(
  { declaredMode: mode, modeEvidence }: { declaredMode?: DeclaredMode | undefined; modeEvidence?: string | undefined },
  { actor, approver }: Decision,
) {
  return mode && modeEvidence ? { mode, by: actor, approver, evidence: modeEvidence } : undefined;
}

function invalid(path: string, reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path, reason }] };
}

const named = z.strictObject({ channelId: channelId() });

export const enableChannel = onPlatform({
  summary: 'Route new orders to a channel again. Needs a second operator.',
  title: () => 'Enable the channel',
  roles: ['admin'],
  input: named,
  subject: ({ channelId }) => channelId,
  versioned: 'channel',
  // The channel of an order receives its money, so two operators have to agree. One operator may disable a channel.
  needsSecond: always,
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
export function problemOfAdapter(domain: Pick<ChannelAccess, 'adapters'>, adapter: string): Refused | null {
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
    const known = enabled ? await findChannel(within, channelId) : null;
    const fields = known ? problemsOfModeAfter(domain, { channelId, adapter: known.adapter }, known) : [];
    if (fields.length > 0)
      return {
        ok: false,
        rejection: 'invalid_input',
        fields: fields.map(({ reason }) => ({ path: 'channelId', reason })),
      };
    const value = { channelId, enabled };
    return { ok: true, value: { subject: channelId, entity, fields: ['enabled'], value } };
  });
}

export const mapBank = onPlatform({
  summary: 'Map a bank code to the code of a channel. Needs a second operator.',
  title: ({ bankCode, channelBankCode }) => `Map ${bankCode} to ${channelBankCode}`,
  roles: ['admin'],
  input: z.strictObject({
    channelId: channelId(),
    kind: kind(),
    bankCode: bankCode('Bank code that merchants send.'),
    channelBankCode: reference('Bank code of the channel.'),
  }),
  subject: ({ channelId, kind, bankCode }) => `${channelId} ${kind} ${bankCode}`,
  // A wrong code would send payouts to another bank.
  needsSecond: always,
  execute: ({ domain, by }, mapping) =>
    changeConfiguration(domain, { tenant: platformTenant, change: 'mapBank' }, by, async (within) => {
      const { channelId, kind, bankCode } = mapping;
      if (!(await findChannel(within, channelId))) return { ok: false, rejection: 'channel_not_found' };
      const entity = await map(within, mapping);
      return { ok: true, value: { subject: `${channelId} ${kind} ${bankCode}`, entity, value: mapping } };
    }),
});
