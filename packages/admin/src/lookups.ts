import { type Domain, type MerchantProfile, platformTenant } from '@tidegate/domain';
import { type Answer, refused } from './answer.ts';

/** The names of the tenants that are the platform's own, where no merchant is. */
export function isPlatform(merchantId: string): boolean {
  return merchantId === platformTenant || merchantId.startsWith(`${platformTenant}-`);
}

/** A merchant; null for one that is not there, and for the platform's own tenants. */
export async function findMerchant(domain: Domain, merchantId: string): Promise<MerchantProfile | null> {
  return isPlatform(merchantId) ? null : domain.directory.merchant(merchantId);
}

export function noMerchant(merchantId: string): Answer {
  return refused(`there is no merchant ${merchantId}: see create-merchant`);
}

export function noOrder(orderNo: string): Answer {
  return refused(`there is no order ${orderNo}`);
}
