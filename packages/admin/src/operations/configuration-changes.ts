import type { Row } from '../line/answer.ts';
import type { AdminCommand } from '../line/command.ts';
import { plainRow, timeText } from '../line/views.ts';
import { change } from './change.ts';

// Commands that change merchants, their keys, and channels.

const merchant = { group: 'Merchants', places: ['merchantId'], show: plainRow } as const;

/** Commands that change merchants. */
export const merchants: AdminCommand[] = [
  change('createMerchant', {
    name: 'create-merchant',
    ...merchant,
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is created. Next: add-key, set-fee and set-route.`,
  }),
  change('disableMerchant', {
    name: 'disable-merchant',
    ...merchant,
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is disabled.`,
  }),
  change('enableMerchant', {
    name: 'enable-merchant',
    ...merchant,
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is enabled.`,
  }),
  change('setMerchant', {
    name: 'set-merchant',
    ...merchant,
    options: { payinEnabled: 'payin', payoutEnabled: 'payout' },
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is changed.`,
  }),
  change('addMerchantKey', {
    name: 'add-key',
    ...merchant,
    fromFile: ['publicKey'],
    successMessage: ({ merchantId, keyId }) => `${merchantId} may sign with key ${keyId}.`,
  }),
  change('retireMerchantKey', {
    name: 'retire-key',
    ...merchant,
    places: ['merchantId', 'keyId'],
    successMessage: ({ merchantId, keyId, endsAt }) => `Key ${keyId} of ${merchantId} ends ${timeText(endsAt)}.`,
  }),
  change('setFeeRule', {
    name: 'set-fee',
    ...merchant,
    successMessage: ({ merchantId, kind, percent, fixed, from }) =>
      `${merchantId} pays ${percent} % + ${fixed} for ${kind}s${from === undefined ? '' : ` from ${timeText(from)}`}.`,
  }),
  change('removeFeeRule', {
    name: 'remove-fee',
    ...merchant,
    successMessage: ({ merchantId, kind, from }) =>
      `The fee of ${merchantId} for ${kind}s from ${timeText(from)} is removed.`,
  }),
  change('setRoute', {
    name: 'set-route',
    ...merchant,
    places: ['merchantId', 'routeNo'],
    options: { channelId: 'channel' },
    successMessage: ({ merchantId, routeNo, channelId }) => `Route ${routeNo} of ${merchantId} leads to ${channelId}.`,
  }),
  change('removeRoute', {
    name: 'remove-route',
    ...merchant,
    places: ['merchantId', 'routeNo'],
    successMessage: ({ merchantId, routeNo }) => `Route ${routeNo} of ${merchantId} is removed.`,
  }),
];

const retiringRow = ({ keyId, retiresAt }: { keyId: string; retiresAt: number }): Row => ({
  keyId,
  retiresAt: timeText(retiresAt),
});
/** Commands that change the keys with which the service signs. */
export const serviceKeys: AdminCommand[] = [
  change('rotateServiceKey', {
    name: 'rotate-service-key',
    ...merchant,
    successMessage: ({ merchantId, keyId }) =>
      `Notifications to ${merchantId} are signed with key ${keyId} from now on.`,
    show: ({ retiring, ...key }) => ({ ...plainRow(key), retiring: retiringRow(retiring) }),
  }),
];

const channel = { group: 'Channels', places: ['channelId'], show: plainRow } as const;

/** Commands that change channels. */
export const channels: AdminCommand[] = [
  change('setChannel', {
    name: 'set-channel',
    ...channel,
    successMessage: ({ channelId }) => `Channel ${channelId} is set.`,
  }),
  change('withdrawDeclaration', {
    name: 'withdraw-declaration',
    ...channel,
    successMessage: ({ channelId, withheld }) =>
      `Channel ${channelId} is not used any more. Money is withheld from ${withheld.length} merchants. Run it once more in a few seconds, for payments that were on their way.`,
  }),
  change('enableChannel', {
    name: 'enable-channel',
    ...channel,
    successMessage: ({ channelId }) => `Channel ${channelId} takes new orders.`,
  }),
  change('disableChannel', {
    name: 'disable-channel',
    ...channel,
    successMessage: ({ channelId }) => `Channel ${channelId} takes no new orders.`,
  }),
  change('mapBank', {
    name: 'map-bank',
    ...channel,
    successMessage: ({ channelId, kind, bankCode, channelBankCode }) =>
      `${channelId} calls ${bankCode} ${channelBankCode} in ${kind}s.`,
  }),
];
