import * as z from 'zod';
import {
  createMerchant as create,
  generateServiceKey,
  type MerchantSettings,
  type MerchantStatus,
  setMerchant as set,
  setMerchantStatus,
} from '../../configuration/index.ts';
import { problemOfNotifyUrl } from '../../core/notify-url.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Outcome } from '../../core/rejection.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { isPlatform } from '../find-facts.ts';
import { amount, count, country, merchantId, networkList, onOff, text, url } from '../input-schemas.ts';
import { changedSettings } from '../labels.ts';
import { type Operation, type OperationContext, onMerchant } from '../operation.ts';

const newMerchant = z.strictObject({
  merchantId: merchantId('New merchant number: 3 to 32 upper-case letters, digits or hyphens.'),
  name: text('Name that payers see.'),
  country: country('Country of the merchant. It sets the currency and cannot be changed.'),
  defaultNotifyUrl: url('Notification URL for orders that send none: payouts, and payins in Thailand.').optional(),
  acceptDeprecatedFields: onOff(
    'Pakistan: ignores deprecated request fields instead of refusing the request.',
  ).optional(),
});

/** The new merchant, and the key with which it verifies its notifications. */
type NewMerchantValue = z.output<typeof newMerchant> & { serviceKeyId: string; servicePublicKeyPem: string };

export const createMerchant: Operation<typeof newMerchant, NewMerchantValue> = {
  summary:
    'Create a merchant with an empty wallet and a key that signs its notifications. Country and currency cannot be changed later.',
  roles: ['admin'],
  input: newMerchant,
  about: ({ merchantId, country }) => ({ kind: 'new_merchant', merchantId, country }),
  subject: ({ merchantId }) => merchantId,
  async execute({ domain, by }, input) {
    const { merchantId, ...after } = input;
    if (isPlatform(merchantId)) return invalid('merchantId', "is a name of the platform's own: choose another");
    const url = input.defaultNotifyUrl;
    const problem = url === undefined ? null : problemOfNotifyUrl(url, domain.notifyNetworks);
    if (problem !== null) return invalid('defaultNotifyUrl', problem);
    const where = { tenant: merchantId, change: 'createMerchant' };
    const pair = await generateServiceKey();
    return changeConfiguration(domain, where, by, async (within) => {
      const created = await create(within, { merchantId, ...omitUndefined(after) }, pair);
      if (!created) return { ok: false, rejection: 'merchant_exists' };
      const { entity, serviceKeyId, servicePublicKeyPem } = created;
      const value = { ...input, serviceKeyId, servicePublicKeyPem };
      return { ok: true, value: { subject: merchantId, entity, after: { serviceKeyId }, value } };
    });
  },
};

export const setMerchant = onMerchant({
  summary:
    "Change a merchant's settings and limits. Omitted fields stay unchanged. Needs a second operator if it lets more through than before.",
  title: (input) => changedSettings(input),
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    name: text('Name that payers see.').optional(),
    defaultNotifyUrl: url(
      'Notification URL for orders that send none: payouts, and payins in Thailand. Null: none are sent.',
    )
      .nullable()
      .optional(),
    ipAllowList: networkList('IP addresses and networks that may send requests. Null: any address.')
      .nullable()
      .optional(),
    requestsPerSecond: count('Allowed requests per second.').optional(),
    requestBurst: count('Number of requests allowed in a burst.').optional(),
    payinMin: amount('Minimum payin amount.').optional(),
    payinMax: amount('Maximum payin amount.').optional(),
    payoutMin: amount('Minimum payout amount.').optional(),
    payoutMax: amount('Maximum payout amount.').optional(),
    acceptDeprecatedFields: onOff(
      'Pakistan: ignores deprecated request fields instead of refusing the request.',
    ).optional(),
    payinEnabled: onOff('Whether payins are enabled.').optional(),
    payoutEnabled: onOff('Whether payouts are enabled.').optional(),
  }),
  subject: ({ merchantId }) => merchantId,
  versioned: 'merchant',
  needsSecond: () => 'if_it_opens_more',
  async execute({ domain, by }, { merchantId, ...input }) {
    const settings: MerchantSettings = omitUndefined(input);
    const where = { tenant: merchantId, change: 'setMerchant', subject: merchantId };
    return changeConfiguration(domain, where, by, async (within) => {
      const done = await set(within, domain.notifyNetworks, merchantId, settings);
      if (!done.ok) return done;
      const { entity, opensMore } = done.value;
      const isAgreed = by.approver !== null && by.approver !== by.actor;
      if (opensMore && !isAgreed) return { ok: false, rejection: 'second_operator_needed' };
      const fields = Object.keys(settings);
      return { ok: true, value: { subject: merchantId, entity, fields, value: { merchantId, ...settings } } };
    });
  },
});

const named = z.strictObject({ merchantId: merchantId() });

export const disableMerchant = onMerchant({
  summary: 'Refuse all requests of a merchant. Its open orders continue.',
  roles: ['admin'],
  input: named,
  subject: ({ merchantId }) => merchantId,
  versioned: 'merchant',
  execute: (context, input) => setStatus(context, input.merchantId, 'disabled'),
});

export const enableMerchant = onMerchant({
  summary: 'Accept the requests of a disabled merchant again.',
  roles: ['admin'],
  input: named,
  subject: ({ merchantId }) => merchantId,
  versioned: 'merchant',
  execute: (context, input) => setStatus(context, input.merchantId, 'active'),
});

async function setStatus(
  { domain, by }: OperationContext,
  merchantId: string,
  status: MerchantStatus,
): Promise<Outcome<{ merchantId: string; status: MerchantStatus }>> {
  return changeConfiguration(domain, { tenant: merchantId, change: 'setMerchantStatus' }, by, async (within) => {
    const entity = await setMerchantStatus(within, merchantId, status);
    if (!entity) return { ok: false, rejection: 'merchant_not_found' };
    return { ok: true, value: { subject: merchantId, entity, fields: ['status'], value: { merchantId, status } } };
  });
}

function invalid(path: string, reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path, reason }] };
}
