import type { Order } from '../../core/order.ts';
import { isOutgoing } from '../../core/payment.ts';
import { refundReasons } from '../../core/refund.ts';
import type { Refused } from '../../core/rejection.ts';
import { problemOfStep } from '../../core/settlement.ts';
import { type Break, outcomes, outcomesOf } from '../../reconciliation/index.ts';
import type { ReadInput } from '../operation.ts';
import { problemOfAdapter } from '../operations/channels.ts';
import { serviceKeySubject } from '../operations/service-keys.ts';
import type { OperationName } from '../operations.ts';
import type { ActionContext } from './action-context.ts';
import type { Candidate, Noun } from './noun.ts';

/** The smallest amount. `approvalAbove` says from which amount on a second operator is needed. */
const amount = '0.01';
const booking = { amount, bookingNo: 'trial', remark: 'trial' };
/** The merchant who is credited with money of the platform is chosen later. */
const anyMerchant = 'TRIAL';

/**
 * The operations on an object. Operations that would change nothing, such as enabling what is enabled, are left out.
 */
export function candidatesOf(noun: Exclude<Noun, { type: 'approval' }>, context: ActionContext): Candidate[] {
  switch (noun.type) {
    case 'order':
      return ofOrder(noun.order, context);
    case 'case':
      return ofCase(noun.found, context);
    case 'break':
      return ofBreak(noun.difference);
    case 'notification': {
      const { orderNo, status } = noun.notification;
      return [one('resendNotification', { orderNo, status, requestKey: 'trial' })];
    }
    case 'merchant':
      return ofMerchant(noun.merchant);
    case 'wallet':
      return [
        ...(['topUpWallet', 'settleWallet'] as const).map((name) =>
          one(name, { merchantId: noun.wallet.merchantId, ...booking }),
        ),
        one('adjustWallet', { merchantId: noun.wallet.merchantId, ...booking, kind: 'bank' }),
      ];
    case 'channel':
      return ofChannel(noun.channel, context);
    case 'operator':
      return ofOperator(noun.operator, context);
    case 'merchant_key': {
      const { merchantId, keyId, expiresAt } = noun.key;
      return expiresAt !== null && expiresAt <= context.now ? [] : [one('retireMerchantKey', { merchantId, keyId })];
    }
    case 'fee_rule': {
      const { merchantId, kind, bankCode, percent, fixed, beginsAt: from } = noun.rule;
      const named = { merchantId, kind, ...(bankCode !== '' && { bankCode }) };
      const isScheduled = from > context.now;
      return [
        one('setFeeRule', { ...named, percent, fixed }),
        ...(isScheduled ? [one('removeFeeRule', { ...named, from })] : []),
      ];
    }
    case 'route': {
      const { merchantId, routeNo, kind, channelId } = noun.route;
      return [one('setRoute', { merchantId, routeNo, kind, channelId }), one('removeRoute', { merchantId, routeNo })];
    }
    case 'settlement_cycle': {
      const { merchantId } = noun.cycle;
      return [one('setSettlementCycle', { merchantId }), one('removeSettlementCycle', { merchantId })];
    }
    case 'settlement':
      return ofSettlement(noun.settlement);
    default:
      return noun satisfies never;
  }
}

function one(name: OperationName, input: ReadInput, refused: Refused | null = null): Candidate {
  return { name, inputs: [input], refused };
}

/** An operation on a part of the object, which its request names. Null: the part is chosen with the input. */
function ofPart(name: OperationName, input: ReadInput, subject: string | null = null): Candidate {
  return { ...one(name, input), subject };
}

function ofOrder({ merchantId, orderNo }: Order, context: ActionContext): Candidate[] {
  const named = { orderNo };
  const unnotified = context.notified.has(`${merchantId} ${orderNo}`)
    ? null
    : ({ ok: false, rejection: 'notification_not_found' } as const);
  return [
    one('cancelOrder', named),
    one('refreshOrder', named),
    one('confirmFunds', { ...named, amount, reference: 'trial' }),
    {
      name: 'resolvePayout',
      inputs: (['paid', 'failed'] as const).map((outcome) => ({ ...named, outcome, evidence: 'trial' })),
    },
    one('claimPayoutTask', named),
    one('giveBackPayoutTask', named),
    one('provePayoutTask', { ...named, reference: 'trial', payer: 'trial' }),
    one('acceptProof', named),
    one('rejectProof', named),
    one('resendNotification', { ...named, requestKey: 'trial' }, unnotified),
  ];
}

/** A break ends in the ways that are possible for its kind. */
function ofBreak(difference: Break): Candidate[] {
  const { merchantId, breakNo, state } = difference;
  const country = merchantId.slice('PLATFORM-'.length);
  const closed = { ok: false, rejection: 'break_closed', detail: `break ${breakNo} is ${state}` } as const;
  // The trial finds out whether there is a credit.
  const possible = outcomesOf(difference, true);
  const inputs = (state === 'open' ? outcomes : possible).map((outcome) => ({ country, breakNo, outcome }));
  return [{ name: 'resolveBreak', inputs, refused: state === 'open' || possible.length > 0 ? null : closed }];
}

/** Money is credited to the order of its case, or else to a wallet: the platform's to any merchant's. */
function ofCase(found: Extract<Noun, { type: 'case' }>['found'], context: ActionContext): Candidate[] {
  const { merchantId, caseNo, channelId, kind, refundNo } = found;
  const named = { merchantId, caseNo };
  const toMerchantId = merchantId.startsWith('PLATFORM-') ? anyMerchant : merchantId;
  const byChannel = one('returnCase', { ...named, way: 'by_channel' }, problemOfRefund(context, channelId));
  return [
    { name: 'creditCase', inputs: [named, { ...named, toMerchantId }] },
    { ...one('returnCase', { ...named, way: 'by_hand' }), way: 'by_hand' },
    ...(refundReasons[kind] === undefined ? [] : [{ ...byChannel, way: 'by_channel' as const }]),
    ...(isOutgoing(kind) ? [one('chargeCase', named), one('writeOffCase', named)] : []),
    ...(refundNo === null
      ? []
      : [one('resolveRefund', { ...named, refundNo, outcome: 'refunded', evidence: 'trial' })]),
  ];
}

/** Why nothing can be refunded through a channel; null: its adapter can refund. */
function problemOfRefund({ refunding }: ActionContext, channelId: string): Refused | null {
  if (refunding.has(channelId)) return null;
  return { ok: false, rejection: 'case_not_refundable', detail: `${channelId} offers no refunds` };
}

function ofMerchant({ merchantId, status, notificationsPaused }: Extract<Noun, { type: 'merchant' }>['merchant']) {
  const named = { merchantId };
  return [
    one('setMerchant', named),
    one(status === 'active' ? 'disableMerchant' : 'enableMerchant', named),
    ofPart('addMerchantKey', named),
    ofPart('setFeeRule', named),
    ofPart('setRoute', named),
    ofPart('rotateServiceKey', named, serviceKeySubject),
    one(notificationsPaused ? 'resumeNotifications' : 'pauseNotifications', named),
    one('resendNotifications', named),
  ];
}

function ofChannel(
  { channelId, adapter, enabled }: Extract<Noun, { type: 'channel' }>['channel'],
  context: ActionContext,
) {
  const named = { channelId };
  return [
    one('setChannel', { channelId, adapter }),
    enabled ? one('disableChannel', named) : one('enableChannel', named, problemOfAdapter(context, adapter)),
    ofPart('mapBank', named),
  ];
}

function ofOperator(
  { operatorId, roles, enabled, externalId }: Extract<Noun, { type: 'operator' }>['operator'],
  context: ActionContext,
) {
  const named = { operatorId };
  const tokenless = context.withAccess.has(operatorId) ? null : ({ ok: false, rejection: 'token_not_found' } as const);
  return [
    one('changeOperator', { operatorId, roles }),
    one(enabled ? 'disableOperator' : 'enableOperator', named),
    one('inviteOperator', named),
    one('revokeOperatorTokens', named, tokenless),
    one(externalId === null ? 'linkIdentity' : 'unlinkIdentity', named),
  ];
}

/** The operations that are possible after its current state. Earlier ones are not listed. */
function ofSettlement(settlement: Extract<Noun, { type: 'settlement' }>['settlement']): Candidate[] {
  const { merchantId, settlementNo, state } = settlement;
  const named = { merchantId, settlementNo };
  const step = (name: Step, more: ReadInput = {}): Candidate[] => {
    const problem = problemOfStep(name, settlement);
    if (problem === 'settlement_not_there') return [];
    return [one(name, { ...named, ...more }, problem && { ok: false, rejection: problem })];
  };
  if (state === 'draft') return step('approveSettlement');
  const reference = { reference: 'trial' };
  return [
    ...step('sendSettlement'),
    ...step('paySettlement', reference),
    ...step('confirmSettlement', reference),
    ...step('failSettlement', { detail: 'trial' }),
  ];
}

type Step = Parameters<typeof problemOfStep>[0];
