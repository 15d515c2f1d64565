import type * as z from 'zod';
import type { Approval } from '../core/approval.ts';
import { labelOf } from './labels.ts';
import type { OperationName, operations } from './operations.ts';

type InputOf<N extends OperationName> = z.output<(typeof operations)[N]['input']>;

/**
 * What a request does, in a few words, from its input. The words name the outcome, so that two requests about one object never look alike. They say no
 * amount of money, which screens show beside them, and nothing personal. Every operation that may need a second operator is here.
 */
const titles: { readonly [N in OperationName]?: (input: InputOf<N>) => string } = {
  setMerchant: (input) => settings(input),
  addMerchantKey: () => 'Add a key',
  retireMerchantKey: () => 'Retire the key',
  setFeeRule: ({ kind, percent, fixed }) => `Set the fee of ${kind}s to ${percent} % + ${fixed}`,
  removeFeeRule: ({ kind }) => `Remove the scheduled fee of ${kind}s`,
  setRoute: ({ kind, channelId }) => `Send ${kind}s to ${channelId}`,
  removeRoute: () => 'Remove the route',
  setChannel: ({ adapter, ...others }) => settings(others, `Use the adapter ${adapter}`),
  enableChannel: () => 'Enable the channel',
  mapBank: ({ bankCode, channelBankCode }) => `Map ${bankCode} to ${channelBankCode}`,
  rotateServiceKey: () => 'Replace the service key',
  createOperator: ({ roles }) => `Create the operator as ${roles.join(', ')}`,
  changeOperator: ({ roles, ...others }) => (roles ? `Set the roles to ${roles.join(', ')}` : settings(others)),
  enableOperator: () => 'Unblock the operator',
  inviteOperator: () => 'Invite the operator',
  linkIdentity: () => 'Link an identity',
  unlinkIdentity: () => 'Unlink the identity',
  topUpWallet: () => 'Top up the wallet',
  settleWallet: () => 'Record a settlement',
  adjustWallet: ({ kind }) => `Adjust the wallet (${kind})`,
  reverseBooking: () => 'Take back the booking',
  releaseWithheld: () => 'Release withheld money',
  confirmFunds: () => 'Confirm funds',
  resolvePayout: ({ outcome }) => ({ paid: 'Mark paid', failed: 'Mark failed' })[outcome],
  creditCase: ({ orderNo, toMerchantId }) => {
    if (orderNo !== undefined) return `Credit to order ${orderNo}`;
    return toMerchantId === undefined ? 'Credit to its order' : `Credit to the wallet of ${toMerchantId}`;
  },
  returnCase: ({ way = 'by_hand' }) =>
    ({ by_hand: 'Close as returned', by_channel: 'Send back through the channel' })[way],
  chargeCase: () => 'Charge the merchant',
  writeOffCase: () => 'Write off',
  resolveRefund: ({ outcome }) => ({ refunded: 'Mark refunded', failed: 'Mark the refund failed' })[outcome],
  giveBackPayoutTask: () => 'Return the task to the market',
  provePayoutTask: () => 'Submit the proof of a lost task',
  acceptProof: () => 'Accept the proof',
  closeFinding: ({ outcome }) => `Close the finding as ${outcome}`,
  releasePayouts: () => 'Release the payouts',
  setReconciliation: (input) => settings(input),
  setCsvProfile: ({ basedOn = 0 }) => `Set version ${basedOn + 1} of the CSV profile`,
  resolveBreak: ({ outcome, otherBreakNo }) => {
    if (outcome === 'linked') return otherBreakNo === undefined ? 'Link as repeated' : `Link to break ${otherBreakNo}`;
    return { posted: 'Post the difference', written_off: 'Write off', charged: 'Charge the merchant' }[outcome];
  },
  closeDay: () => 'Close the day',
  setSettlementCycle: ({ account }) =>
    account === undefined ? 'Change the settlement cycle' : 'Set the bank account of settlements',
  createSettlementFile: () => 'Create a bank file from another account',
  approveSettlement: () => 'Approve the settlement',
  confirmSettlement: () => 'Mark the settlement paid',
  failSettlement: () => 'Mark the settlement failed',
};

/** The operations that have words. */
export const titled = Object.keys(titles) as OperationName[];

/** What an approval does, in a few words: `Mark paid`. For an operation of another version: its name as words. */
export function titleOfApproval({ operation, input }: Pick<Approval, 'operation' | 'input'>): string {
  const title = Object.hasOwn(titles, operation) ? titles[operation as OperationName] : undefined;
  return title?.(input as never) ?? labelOf(operation);
}

/** Fields that say which object is changed, or that go with another one. */
const naming = ['merchantId', 'channelId', 'country', 'operatorId', 'modeEvidence', 'ending'];
/** More fields are counted. */
const MAX_NAMED = 3;

/** Names the fields that are changed. `otherwise`: there are none. */
function settings(input: object, otherwise = 'Keep all settings'): string {
  const labels = Object.entries(input)
    .filter(([field, value]) => value !== undefined && !naming.includes(field))
    .map(([field]) => uncapitalized(labelOf(field)))
    .sort();
  const more = labels.length - MAX_NAMED;
  const named = labels.slice(0, MAX_NAMED).join(', ');
  if (named === '') return otherwise;
  return more > 0 ? `Change ${named} and ${more} more` : `Change ${named}`;
}

/** Keeps abbreviations: `IP allow list`, but `payin maximum`. */
function uncapitalized(label: string): string {
  const start = label.slice(0, 2);
  return start === start.toUpperCase() ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}
