import type { Domain, MerchantProfile } from '@tidegate/domain';
import { platformTenant } from '@tidegate/domain/admin';
import { mayAccess, type OperatorContext } from '@tidegate/domain/operators';
import { type Answer, refused } from './answer.ts';

/** A merchant; null if there is none, it is outside the operator's restriction, or it is a tenant of the platform. */
export async function findMerchant(
  domain: Domain,
  operator: OperatorContext,
  merchantId: string,
): Promise<MerchantProfile | null> {
  const found = isPlatform(merchantId) ? null : await domain.directory.merchant(merchantId);
  return found && mayAccess(operator, found) ? found : null;
}

/** Names of the platform's own tenants, which are not merchants. */
function isPlatform(merchantId: string): boolean {
  return merchantId === platformTenant || merchantId.startsWith(`${platformTenant}-`);
}

export function noMerchant(merchantId: string): Answer {
  return refused(`there is no merchant ${merchantId}: see create-merchant`);
}

export function noOrder(orderNo: string): Answer {
  return refused(`there is no order ${orderNo}`);
}
