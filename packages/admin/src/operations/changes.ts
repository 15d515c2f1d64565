import type { Order } from '@tidegate/domain';
import type { OperationValue } from '@tidegate/domain/operators';
import type { Row } from '../line/answer.ts';
import type { AdminCommand } from '../line/command.ts';
import { caseRow, findingRow, orderRecord, plainRow, taskRow } from '../line/views.ts';
import { change } from './change.ts';
import { channels, merchants, serviceKeys } from './configuration-changes.ts';
import { operators } from './operator-changes.ts';
import { settlements } from './settlement-changes.ts';

// The commands of the domain's operations, by heading.
type Named = { merchantId: string };

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
  change('adjustWallet', { name: 'adjust', ...wallet, options: { channelId: 'channel' } }),
  change('reverseBooking', {
    name: 'reverse-booking',
    group: 'Wallets',
    places: ['merchantId', 'bookingNo'],
    show: plainRow,
    successMessage: ({ merchantId, bookingNo }) => `Booking ${bookingNo} of ${merchantId} is reversed.`,
  }),
  change('releaseWithheld', {
    name: 'release-withheld',
    group: 'Wallets',
    places: ['merchantId', 'channelId'],
    show: plainRow,
    successMessage: ({ merchantId, withheld }) => `Released. Still withheld for ${merchantId}: ${withheld}.`,
  }),
];

const order = { group: 'Orders', places: ['orderNo'], show: orderRecord } as const;

const orders: AdminCommand[] = [
  change('cancelOrder', {
    name: 'cancel-order',
    ...order,
    successMessage: ({ orderNo }) => `Order ${orderNo} is cancelled.`,
  }),
  change('refreshOrder', {
    name: 'refresh-order',
    ...order,
    successMessage: ({ orderNo, status }) => `The channel was queried: order ${orderNo} is ${status}.`,
  }),
  change('confirmFunds', {
    name: 'confirm-funds',
    ...order,
    successMessage: ({ orderNo, status, paidAmount, amount }) =>
      `Order ${orderNo} is ${status}: ${paidAmount} of ${amount} received.`,
  }),
  change('resolvePayout', {
    name: 'resolve-payout',
    ...order,
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
    name: 'pause-notifications',
    ...notification,
    places: ['merchantId'],
    successMessage: ({ merchantId }: Named) => `Notifications to ${merchantId} are paused.`,
  }),
  change('resumeNotifications', {
    name: 'resume-notifications',
    ...notification,
    places: ['merchantId'],
    successMessage: ({ merchantId }: Named) => `Notifications to ${merchantId} are resumed.`,
  }),
];

const decided = { group: 'Cases', places: ['merchantId', 'caseNo'], show: caseRow } as const;

const cases: AdminCommand[] = [
  change('creditCase', {
    name: 'credit-case',
    ...decided,
    successMessage: ({ merchantId, caseNo }) => `Case ${caseNo} of ${merchantId} is credited.`,
  }),
  change('returnCase', {
    name: 'return-case',
    ...decided,
    successMessage: ({ merchantId, caseNo, refundNo, state }) =>
      state === 'open'
        ? `The channel sends the money of case ${caseNo} of ${merchantId} back under ${refundNo}.`
        : `Case ${caseNo} of ${merchantId} is returned.`,
  }),
  change('chargeCase', {
    name: 'charge-case',
    ...decided,
    successMessage: ({ merchantId, caseNo }) => `Case ${caseNo} is charged to ${merchantId}.`,
  }),
  change('writeOffCase', {
    name: 'write-off-case',
    ...decided,
    successMessage: ({ merchantId, caseNo }) => `Case ${caseNo} of ${merchantId} is written off.`,
  }),
  change('resolveRefund', {
    name: 'resolve-refund',
    ...decided,
    successMessage: ({ merchantId, caseNo, state }) =>
      `Case ${caseNo} of ${merchantId} is ${state === 'open' ? 'open again' : 'returned'}.`,
  }),
];

const reconciled = { group: 'Reconciliation', options: { channelId: 'channel', fetches: 'fetch' } } as const;

const reconciliation: AdminCommand[] = [
  change('setReconciliation', {
    name: 'set-reconciliation',
    ...reconciled,
    places: ['channelId'],
    show: plainRow,
    successMessage: ({ channelId, beginsOn }) => `Channel ${channelId} is reconciled from ${beginsOn}.`,
  }),
  change('fetchStatement', {
    name: 'fetch-statement',
    ...reconciled,
    places: ['channelId', 'day'],
    show: ({ formats, ...day }) => ({ ...day, formats: formats.join(', ') }),
    successMessage: ({ channelId, day }) => `The worker fetches the statement of ${channelId} for ${day}.`,
  }),
  change('confirmStatement', {
    name: 'confirm-statement',
    ...reconciled,
    places: ['fileNo'],
    show: ({ fileNo, channelId, name, sha256, uploadedBy, confirmedBy }) => ({
      fileNo,
      channelId,
      name,
      sha256,
      uploadedBy,
      confirmedBy,
    }),
    successMessage: ({ fileNo, confirmedBy }) => `Statement ${fileNo} is confirmed by ${confirmedBy}.`,
  }),
  change('resolveBreak', {
    name: 'resolve-break',
    ...reconciled,
    places: ['breakNo'],
    amounts: ['seenAmount'],
    show: ({ breakNo, channelId, day, kind, state, amount }) => ({ breakNo, channelId, day, kind, state, amount }),
    successMessage: ({ breakNo, state }) => `Break ${breakNo} is ${state}.`,
  }),
  change('closeDay', {
    name: 'close-day',
    ...reconciled,
    places: ['channelId', 'day'],
    show: ({ country, channelId, day }) => ({ country, channelId, day }),
    successMessage: ({ channelId, day }) => `The day ${day} of ${channelId} is closed.`,
  }),
  change('reopenDay', {
    name: 'reopen-day',
    ...reconciled,
    places: ['channelId', 'day'],
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
    name: 'claim-task',
    ...task,
    successMessage: ({ orderNo }) => `Task ${orderNo} is yours: pay it, then prove-task.`,
  }),
  change('giveBackPayoutTask', {
    name: 'give-back-task',
    ...task,
    successMessage: ({ orderNo }) => `Task ${orderNo} is on the market again.`,
  }),
  change('provePayoutTask', {
    name: 'prove-task',
    ...task,
    successMessage: ({ orderNo }) => `Task ${orderNo} has a proof: another operator must review it.`,
  }),
  change('acceptProof', {
    name: 'accept-proof',
    ...task,
    successMessage: ({ orderNo }) => `The proof of ${orderNo} is accepted: the payout is completed.`,
  }),
  change('rejectProof', {
    name: 'reject-proof',
    ...task,
    successMessage: ({ orderNo }) => `The proof of ${orderNo} is rejected: its operator must submit another one.`,
  }),
];

const checks: AdminCommand[] = [
  change('releasePayouts', {
    name: 'release-payouts',
    group: 'Checks',
    places: ['merchantId'],
    show: plainRow,
    successMessage: ({ merchantId }) => `The payouts of ${merchantId} are released.`,
  }),
  change('closeFinding', {
    name: 'close-finding',
    group: 'Checks',
    places: ['merchantId', 'findingNo'],
    show: findingRow,
    successMessage: ({ merchantId, findingNo, state }) => `Finding ${findingNo} of ${merchantId} is ${state}.`,
  }),
];

export const changes: readonly AdminCommand[] = [
  ...merchants,
  ...serviceKeys,
  ...channels,
  ...operators,
  ...wallets,
  ...orders,
  ...notifications,
  ...cases,
  ...reconciliation,
  ...settlements,
  ...tasks,
  ...checks,
];
