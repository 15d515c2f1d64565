import { randomBytes } from 'node:crypto';
import type { ActionName, AllowedAction, Noun } from '../approvals/actions/noun.ts';
import { fingerprintOf, makeCode } from '../configuration/redeem-invitation.ts';
import { takeKeyPair } from './key-pool.ts';

const unique = (): string => randomBytes(6).toString('hex').toUpperCase();

/** Inputs of a mutation as clients send them. `merchantId`: who is credited where the case has no merchant. */
export function inputsFor(
  { name, way }: Pick<AllowedAction, 'name' | 'way'>,
  noun: Noun,
  merchantId: string,
): object[] {
  const named = namesOf(noun);
  const more: Partial<Record<ActionName, object[]>> = {
    confirmFunds: [{ amount: '0.01', reference: unique() }],
    resolvePayout: [{ outcome: 'paid', evidence: 'seen' }],
    provePayoutTask: [{ reference: unique(), payer: 'A' }],
    resendNotification: [{ requestKey: unique(), ...(noun.type === 'notification' && { status: 'completed' }) }],
    creditCase: [{}, { toMerchantId: merchantId }],
    returnCase: [{ way: way ?? undefined }],
    resolveRefund: [{ refundNo: noun.type === 'case' && noun.found.refundNo, outcome: 'failed', evidence: 'seen' }],
    resolveBreak: [{ outcome: 'written_off' }],
    topUpWallet: [{ amount: '0.01', bookingNo: unique(), remark: 'r' }],
    settleWallet: [{ amount: '0.01', bookingNo: unique(), remark: 'r' }],
    adjustWallet: [{ kind: 'bank', amount: '0.01', bookingNo: unique(), remark: 'r' }],
    setMerchant: [{ requestsPerSecond: 7 }],
    addMerchantKey: name === 'addMerchantKey' ? [{ publicKey: takeKeyPair().publicKeyPem }] : [],
    setFeeRule: [{ kind: 'payin', percent: '1', fixed: '0' }],
    setRoute: [{ kind: 'payin', channelId: 'fake', routeNo: noun.type === 'route' ? noun.route.routeNo : 5 }],
    resendNotifications: [{ from: Date.now() - 1000, to: Date.now(), states: ['pending'], requestKey: unique() }],
    setChannel: [{ adapter: 'fake', baseUrl: 'http://c.test', credentials: {} }],
    mapBank: [{ kind: 'payin', bankCode: 'HBL', channelBankCode: 'H' }],
    changeOperator: [{ roles: ['admin'] }],
    inviteOperator: [{ fingerprint: fingerprintOf(makeCode(randomBytes(32))) }],
    linkIdentity: [{ issuer: 'https://id.test/', subject: unique() }],
  };
  return (more[name] ?? [{}]).map((one) => ({ ...named, ...one }));
}

function namesOf(noun: Noun): object {
  switch (noun.type) {
    case 'order':
      return { orderNo: noun.order.orderNo };
    case 'case':
      return { merchantId: noun.found.merchantId, caseNo: noun.found.caseNo };
    case 'break':
      return { country: noun.difference.merchantId.slice('PLATFORM-'.length), breakNo: noun.difference.breakNo };
    case 'notification':
      return { orderNo: noun.notification.orderNo };
    case 'merchant':
      return { merchantId: noun.merchant.merchantId };
    case 'wallet':
      return { merchantId: noun.wallet.merchantId };
    case 'channel':
      return { channelId: noun.channel.channelId };
    case 'operator':
      return { operatorId: noun.operator.operatorId };
    case 'merchant_key':
      return { merchantId: noun.key.merchantId, keyId: noun.key.keyId };
    case 'fee_rule':
      return { merchantId: noun.rule.merchantId, kind: noun.rule.kind, from: noun.rule.beginsAt || undefined };
    case 'route':
      return { merchantId: noun.route.merchantId, routeNo: noun.route.routeNo };
    case 'settlement':
      return { merchantId: noun.settlement.merchantId, settlementNo: noun.settlement.settlementNo };
    case 'settlement_cycle':
      return { merchantId: noun.cycle.merchantId };
    case 'approval':
      return { approvalId: noun.approval.approvalId };
    default:
      return noun satisfies never;
  }
}
