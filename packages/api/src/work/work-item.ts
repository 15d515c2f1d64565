import { orderNoSchema, type WorkItem } from '@tidegate/domain/operators';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { refusal } from '../errors/errors.ts';
import { partsOf } from '../graphql/loaded.ts';

/** The order, case, break or merchant of a global id. Throws a refusal for any other id. */
export function workItemOf(id: { typename: string; id: string }): WorkItem {
  const [merchantId, rest] = partsOf(id.id);
  const number = readWholeNumber(rest, 1, Number.MAX_SAFE_INTEGER);
  switch (id.typename) {
    case 'Payin':
    case 'Payout':
      if (orderNoSchema().safeParse(rest).success) return { type: 'order', merchantId, orderNo: rest };
      break;
    case 'MoneyCase':
      if (number !== null) return { type: 'case', merchantId, caseNo: number };
      break;
    case 'ReconciliationBreak':
      if (number !== null) return { type: 'break', merchantId, breakNo: number };
      break;
    case 'Merchant':
      if (rest === '') return { type: 'merchant', merchantId };
      break;
    default:
  }
  throw refusal('BAD_USER_INPUT', 'on must be the id of an order, a case, a break or a merchant');
}
