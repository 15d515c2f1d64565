import { loadMoneyCases } from '../cases/index.ts';
import { loadMerchants } from '../configuration/index.ts';
import type { OperatorRejection } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import type { Scope } from '../lists/scope.ts';
import { loadOrders } from '../orders/index.ts';
import { loadBreaks } from '../reconciliation/index.ts';
import { existsSql } from './queries.ts';

/** The items on which operators work. */
export type WorkItem =
  | { type: 'order'; merchantId: string; orderNo: string }
  | { type: 'case'; merchantId: string; caseNo: number }
  | { type: 'break'; merchantId: string; breakNo: number }
  | { type: 'merchant'; merchantId: string }
  /** A top-up, settlement or adjustment that is booked, or waits for a second operator. */
  | { type: 'booking'; merchantId: string; bookingNo: string };

/** The item's name within its merchant, as audit records have it. */
export function subjectOf(item: WorkItem): string {
  switch (item.type) {
    case 'order':
      return item.orderNo;
    case 'case':
      return `case ${item.caseNo}`;
    case 'break':
      return `break ${item.breakNo}`;
    case 'merchant':
      return item.merchantId;
    case 'booking':
      return `booking ${item.bookingNo}`;
    default:
      return item satisfies never;
  }
}

/** The refusal for an item that does not exist, or that the operator may not see. */
export const absentItem = {
  order: 'order_not_found',
  case: 'case_not_found',
  break: 'break_not_found',
  merchant: 'merchant_not_found',
  booking: 'booking_not_found',
} as const satisfies Record<WorkItem['type'], OperatorRejection>;

/** Whether the item exists and the operator may see it. */
export async function isThere(domain: DatabaseAccess, scope: Scope, item: WorkItem): Promise<boolean> {
  const [found] = await load(domain, scope, item);
  return found != null && (item.type !== 'booking' || (await existsWithin(domain, item)));
}

/** Whether the item exists, within the transaction that adds to it. */
export async function existsWithin(
  { database }: { database: Pick<ChangeTransaction['database'], 'pool'> },
  item: WorkItem,
): Promise<boolean> {
  const { rows } = await database.pool.query(existsSql[item.type], [item.merchantId, keyOf(item)]);
  return rows.length > 0;
}

function keyOf(item: WorkItem): string {
  switch (item.type) {
    case 'order':
      return item.orderNo;
    case 'case':
      return String(item.caseNo);
    case 'break':
      return String(item.breakNo);
    case 'merchant':
      return item.merchantId;
    case 'booking':
      return item.bookingNo;
    default:
      return item satisfies never;
  }
}

function load(domain: DatabaseAccess, scope: Scope, item: WorkItem): Promise<readonly (object | null)[]> {
  switch (item.type) {
    case 'order':
      return loadOrders(domain, scope, [item]);
    case 'case':
      return loadMoneyCases(domain, scope, [item]);
    case 'break':
      return loadBreaks(domain, scope, [item]);
    case 'merchant':
    case 'booking':
      return loadMerchants(domain, scope, [item.merchantId]);
    default:
      return item satisfies never;
  }
}
