import type { Order } from '@tidegate/domain';
import type { Invitation, OperationValue } from '@tidegate/domain/operators';
import type { Row } from './answer.ts';
import { change } from './change.ts';
import type { AdminCommand } from './command.ts';
import { caseRow, findingRow, orderRecord, plainRow, taskRow, timeText } from './views.ts';

// The commands of the domain's operations, by heading.

type Named = { merchantId: string };
const merchant = { group: 'Merchants', places: ['merchantId'], show: plainRow } as const;

const merchants: AdminCommand[] = [
  change('createMerchant', {
    ...{ name: 'create-merchant', ...merchant },
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is created. Next: add-key, set-fee and set-route.`,
  }),
  change('disableMerchant', {
    ...{ name: 'disable-merchant', ...merchant },
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is disabled.`,
  }),
  change('enableMerchant', {
    ...{ name: 'enable-merchant', ...merchant },
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is enabled.`,
  }),
  change('setMerchant', {
    ...{ name: 'set-merchant', ...merchant, options: { payinEnabled: 'payin', payoutEnabled: 'payout' } },
    successMessage: ({ merchantId }) => `Merchant ${merchantId} is changed.`,
  }),
  change('addMerchantKey', {
    ...{ name: 'add-key', ...merchant, fromFile: ['publicKey'] },
    successMessage: ({ merchantId, keyId }) => `${merchantId} may sign with key ${keyId}.`,
  }),
  change('retireMerchantKey', {
    ...{ name: 'retire-key', ...merchant, places: ['merchantId', 'keyId'] },
    successMessage: ({ merchantId, keyId, endsAt }) => `Key ${keyId} of ${merchantId} ends ${timeText(endsAt)}.`,
  }),
  change('setFeeRule', {
    ...{ name: 'set-fee', ...merchant },
    successMessage: ({ merchantId, kind, percent, fixed, from }) =>
      `${merchantId} pays ${percent} % + ${fixed} for ${kind}s${from === undefined ? '' : ` from ${timeText(from)}`}.`,
  }),
  change('removeFeeRule', {
    ...{ name: 'remove-fee', ...merchant },
    successMessage: ({ merchantId, kind, from }) =>
      `The fee of ${merchantId} for ${kind}s from ${timeText(from)} is gone.`,
  }),
  change('setRoute', {
    ...{ name: 'set-route', ...merchant, places: ['merchantId', 'routeNo'], options: { channelId: 'channel' } },
    successMessage: ({ merchantId, routeNo, channelId }) => `Route ${routeNo} of ${merchantId} leads to ${channelId}.`,
  }),
  change('removeRoute', {
    ...{ name: 'remove-route', ...merchant, places: ['merchantId', 'routeNo'] },
    successMessage: ({ merchantId, routeNo }) => `Route ${routeNo} of ${merchantId} is gone.`,
  }),
];

const serviceKeys: AdminCommand[] = [
  change('rotateServiceKey', {
    ...{ name: 'rotate-service-key', ...merchant },
    successMessage: ({ merchantId, keyId }) =>
      `Notifications to ${merchantId} are signed with key ${keyId} from now on.`,
    show: ({ retiring, ...key }) => ({
      ...plainRow(key),
      retiring: retiring && { keyId: retiring.keyId, retiresAt: timeText(retiring.retiresAt) },
    }),
  }),
  change('useOwnServiceKey', {
    ...{ name: 'use-own-service-key', ...merchant },
    successMessage: ({ merchantId, keyId }) =>
      `Notifications to ${merchantId} are signed with its own key ${keyId} from now on.`,
  }),
  change('endCommonServiceKey', {
    ...{ name: 'end-common-service-key', group: 'First set-up', places: [] },
    successMessage: ({ keyId, endsAt }) => `The common key ${keyId} ends ${timeText(endsAt)}.`,
    show: ({ keyId, endsAt }) => ({ keyId, endsAt: timeText(endsAt) }),
  }),
];

const channel = { group: 'Channels', places: ['channelId'], show: plainRow } as const;

const channels: AdminCommand[] = [
  change('setChannel', {
    ...{ name: 'set-channel', ...channel },
    successMessage: ({ channelId }) => `Channel ${channelId} is set.`,
  }),
  change('enableChannel', {
    ...{ name: 'enable-channel', ...channel },
    successMessage: ({ channelId }) => `Channel ${channelId} takes new orders.`,
  }),
  change('disableChannel', {
    ...{ name: 'disable-channel', ...channel },
    successMessage: ({ channelId }) => `Channel ${channelId} takes no new orders.`,
  }),
  change('mapBank', {
    ...{ name: 'map-bank', ...channel },
    successMessage: ({ channelId, kind, bankCode, channelBankCode }) =>
      `${channelId} calls ${bankCode} ${channelBankCode} in ${kind}s.`,
  }),
];

const operator = { group: 'Operators', places: ['operatorId'], show: plainRow } as const;
const invitationRow = ({ expiresAt, ...rest }: Invitation): Row => ({ ...rest, expiresAt: timeText(expiresAt) });

/** Separate from the others, because the first two operators are created in another way. */
export const createOperatorChange = change('createOperator', {
  ...{ name: 'create-operator', ...operator },
  successMessage: ({ operatorId }) =>
    `Operator ${operatorId} is created. Next: they make a code (make-code), and you invite-operator.`,
});

const operators: AdminCommand[] = [
  change('changeOperator', {
    ...{ name: 'change-operator', ...operator },
    successMessage: ({ operatorId }) => `Operator ${operatorId} is changed.`,
  }),
  change('inviteOperator', {
    ...{ name: 'invite-operator', ...operator, show: invitationRow },
    successMessage: ({ operatorId }) =>
      `Operator ${operatorId} can redeem their code with redeem-code, within 72 hours.`,
  }),
  change('revokeOperatorTokens', {
    ...{ name: 'revoke-token', ...operator },
    successMessage: ({ operatorId, tokenIds }) => `Tokens of ${operatorId} that were revoked: ${tokenIds.length}.`,
  }),
  change('disableOperator', {
    ...{ name: 'disable-operator', ...operator },
    successMessage: ({ operatorId }) => `Operator ${operatorId} is let in no more.`,
  }),
  change('enableOperator', {
    ...{ name: 'enable-operator', ...operator },
    successMessage: ({ operatorId }) => `Operator ${operatorId} is let in.`,
  }),
  change('linkIdentity', {
    ...{ name: 'link-identity', ...operator },
    successMessage: ({ operatorId, subject }) => `${subject} is operator ${operatorId} from now on.`,
  }),
  change('unlinkIdentity', {
    ...{ name: 'unlink-identity', ...operator },
    successMessage: ({ operatorId }) => `Operator ${operatorId} has no identity any more.`,
  }),
];

const wallet = {
  group: 'Wallets',
  places: ['merchantId'],
  show: plainRow,
  successMessage: ({ merchantId, change, bookingNo, alreadyBooked }: OperationValue<'topUpWallet'>) =>
    alreadyBooked
      ? `Booking ${bookingNo} was done already: nothing has changed.`
      : `Booked ${change} for ${merchantId}.`,
} as const;

const wallets: AdminCommand[] = [
  change('topUpWallet', { name: 'top-up', ...wallet }),
  change('settleWallet', { name: 'settle', ...wallet }),
  change('adjustWallet', { name: 'adjust', ...wallet }),
];

const order = { group: 'Orders', places: ['orderNo'], show: orderRecord } as const;

const orders: AdminCommand[] = [
  change('cancelOrder', {
    ...{ name: 'cancel-order', ...order },
    successMessage: ({ orderNo }) => `Order ${orderNo} is cancelled.`,
  }),
  change('refreshOrder', {
    ...{ name: 'refresh-order', ...order },
    successMessage: ({ orderNo, status }) => `The channel was asked: order ${orderNo} is ${status}.`,
  }),
  change('confirmFunds', {
    ...{ name: 'confirm-funds', ...order },
    successMessage: ({ orderNo, status, paidAmount, amount }) =>
      `Order ${orderNo} is ${status}: ${paidAmount} of ${amount} came in.`,
  }),
  change('resolvePayout', {
    ...{ name: 'resolve-payout', ...order },
    successMessage: ({ orderNo, status }) => `Payout ${orderNo} is ${status}.`,
  }),
];

const resendMessage = ({ matched, resent, repeated }: OperationValue<'resendNotification'>): string =>
  repeated
    ? 'This request key was used before. Nothing was sent now.'
    : `Notifications to send again: ${resent} of ${matched} matching ones.`;
const notification = { group: 'Notifications', show: plainRow } as const;

const notifications: AdminCommand[] = [
  change('resendNotification', {
    name: 'resend-notification',
    ...notification,
    places: ['orderNo'],
    successMessage: resendMessage,
  }),
  change('resendNotifications', {
    name: 'resend-notifications',
    ...notification,
    places: ['merchantId'],
    successMessage: resendMessage,
  }),
  change('pauseNotifications', {
    ...{ name: 'pause-notifications', ...notification, places: ['merchantId'] },
    successMessage: ({ merchantId }: Named) => `Notifications to ${merchantId} are kept back.`,
  }),
  change('resumeNotifications', {
    ...{ name: 'resume-notifications', ...notification, places: ['merchantId'] },
    successMessage: ({ merchantId }: Named) => `Notifications to ${merchantId} go out again.`,
  }),
];

const decided = { group: 'Cases', places: ['merchantId', 'caseNo'], show: caseRow } as const;

const cases: AdminCommand[] = [
  change('creditCase', {
    ...{ name: 'credit-case', ...decided },
    successMessage: ({ merchantId, caseNo }) => `Case ${caseNo} of ${merchantId} is credited.`,
  }),
  change('returnCase', {
    ...{ name: 'return-case', ...decided },
    successMessage: ({ merchantId, caseNo, refundNo, state }) =>
      state === 'open'
        ? `The channel sends the money of case ${caseNo} of ${merchantId} back under ${refundNo}.`
        : `Case ${caseNo} of ${merchantId} is returned.`,
  }),
  change('resolveRefund', {
    ...{ name: 'resolve-refund', ...decided },
    successMessage: ({ merchantId, caseNo, state }) =>
      `Case ${caseNo} of ${merchantId} is ${state === 'open' ? 'open again' : 'returned'}.`,
  }),
];

const reconciled = { group: 'Reconciliation', options: { channelId: 'channel' } } as const;

const reconciliation: AdminCommand[] = [
  change('setReconciliation', {
    ...{ name: 'set-reconciliation', ...reconciled, places: ['channelId'], show: plainRow },
    successMessage: ({ channelId, beginsOn }) => `Channel ${channelId} is reconciled from ${beginsOn}.`,
  }),
  change('resolveBreak', {
    ...{ name: 'resolve-break', ...reconciled, places: ['breakNo'] },
    show: ({ breakNo, channelId, day, kind, state, amount }) => ({ breakNo, channelId, day, kind, state, amount }),
    successMessage: ({ breakNo, state }) => `Break ${breakNo} is ${state}.`,
  }),
  change('closeDay', {
    ...{ name: 'close-day', ...reconciled, places: ['channelId', 'day'] },
    show: ({ country, channelId, day }) => ({ country, channelId, day }),
    successMessage: ({ channelId, day }) => `The day ${day} of ${channelId} is closed.`,
  }),
  change('reopenDay', {
    ...{ name: 'reopen-day', ...reconciled, places: ['channelId', 'day'] },
    show: ({ country, channelId, day }) => ({ country, channelId, day }),
    successMessage: ({ channelId, day }) => `The day ${day} of ${channelId} is open again.`,
  }),
];

const task = {
  group: 'Tasks',
  places: ['orderNo'],
  show: (order: Order): Row => ({ status: order.status, ...taskRow(order) }),
} as const;

const tasks: AdminCommand[] = [
  change('claimPayoutTask', {
    ...{ name: 'claim-task', ...task },
    successMessage: ({ orderNo }) => `Task ${orderNo} is yours: pay it, then prove-task.`,
  }),
  change('giveBackPayoutTask', {
    ...{ name: 'give-back-task', ...task },
    successMessage: ({ orderNo }) => `Task ${orderNo} is on the market again.`,
  }),
  change('provePayoutTask', {
    ...{ name: 'prove-task', ...task },
    successMessage: ({ orderNo }) => `Task ${orderNo} has a proof: another operator has to accept it.`,
  }),
  change('acceptProof', {
    ...{ name: 'accept-proof', ...task },
    successMessage: ({ orderNo }) => `The proof of ${orderNo} is accepted: the payout is completed.`,
  }),
  change('rejectProof', {
    ...{ name: 'reject-proof', ...task },
    successMessage: ({ orderNo }) => `The proof of ${orderNo} is rejected: its operator has to bring another.`,
  }),
];

const checks: AdminCommand[] = [
  change('closeFinding', {
    ...{ name: 'close-finding', group: 'Checks', places: ['merchantId', 'findingNo'], show: findingRow },
    successMessage: ({ merchantId, findingNo, state }) => `Finding ${findingNo} of ${merchantId} is ${state}.`,
  }),
];

export const changes: readonly AdminCommand[] = [
  ...[...merchants, ...serviceKeys, ...channels, ...operators, ...wallets, ...orders],
  ...[...notifications, ...cases, ...reconciliation, ...tasks, ...checks],
];
