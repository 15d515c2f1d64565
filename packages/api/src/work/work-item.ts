import { orderNoSchema, type WorkItem } from '@tidegate/domain/operators';
import { refusal } from '../errors.ts';
import { partsOf } from '../loaded.ts';

/** The order, case, break or merchant of a global id. Throws a refusal for any other id. */
export function workItemOf(id: { typename: string; id: string }): WorkItem {
  const [merchantId, rest] = partsOf(id.id);
  switch (id.typename) {
    case 'Payin':
    case 'Payout':
      if (orderNoSchema().safeParse(rest).success) return { type: 'order', merchantId, orderNo: rest };
      break;
    case 'MoneyCase':
      if (/^[1-9][0-9]{0,14}$/.test(rest)) return { type: 'case', merchantId, caseNo: Number(rest) };
      break;
    case 'ReconciliationBreak':
      if (/^[1-9][0-9]{0,14}$/.test(rest)) return { type: 'break', merchantId, breakNo: Number(rest) };
      break;
    case 'Merchant':
      if (rest === '') return { type: 'merchant', merchantId };
      break;
    default:
  }
  throw refusal('BAD_USER_INPUT', 'on must be the id of an order, a case, a break or a merchant');
}
