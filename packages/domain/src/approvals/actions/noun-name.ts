import { platformTenant } from '../../ledger/index.ts';
import { cycleSubject } from '../../settlement/index.ts';
import { subjectOf } from '../../work/index.ts';
import type { Named } from '../last-change.ts';
import { operations } from '../operations.ts';
import type { Noun } from './noun.ts';
import { workItemOf } from './work-actions.ts';

/** An object that requests and audit records name. */
export type NamedNoun = Exclude<Noun, { type: 'approval' | 'notification' | 'wallet' }>;

/** Bookings are named by their own numbers, and a notification belongs to its order. */
export function hasName(noun: Noun): noun is NamedNoun {
  return noun.type !== 'approval' && noun.type !== 'notification' && noun.type !== 'wallet';
}

/** The name of an object in requests and in audit records. */
export function nameOf(noun: NamedNoun): Named {
  switch (noun.type) {
    case 'order':
    case 'case':
    case 'break':
    case 'merchant':
      return nameOfWork(noun);
    case 'channel':
      return { tenant: platformTenant, subject: operations.enableChannel.subject(noun.channel) };
    case 'operator':
      return { tenant: platformTenant, subject: operations.disableOperator.subject(noun.operator) };
    case 'merchant_key':
      return { tenant: noun.key.merchantId, subject: operations.retireMerchantKey.subject(noun.key) };
    case 'fee_rule':
      return {
        tenant: noun.rule.merchantId,
        subject: operations.removeFeeRule.subject({ ...noun.rule, from: noun.rule.beginsAt }),
      };
    case 'route':
      return { tenant: noun.route.merchantId, subject: operations.removeRoute.subject(noun.route) };
    case 'settlement':
      return {
        tenant: noun.settlement.merchantId,
        subject: operations.confirmSettlement.subject({ ...noun.settlement, reference: '' }),
      };
    case 'settlement_cycle':
      return { tenant: noun.cycle.merchantId, subject: cycleSubject };
    default:
      return noun satisfies never;
  }
}

function nameOfWork(noun: Extract<Noun, { type: 'order' | 'case' | 'break' | 'merchant' }>): Named {
  const item = workItemOf(noun);
  if (!item) throw new Error(`nobody works on a ${noun.type}`);
  return { tenant: item.merchantId, subject: subjectOf(item) };
}
