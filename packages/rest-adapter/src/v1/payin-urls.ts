import type { RestDomain } from '../rest-domain.ts';

/**
 * The checkout URL of a payin. Made only if the country's view shows it, because its token costs as much as verifying a
 * signature.
 */
export function urlsOf(domain: RestDomain, orderNo: string): { readonly payUrl: string } {
  return {
    get payUrl() {
      return domain.payUrlOf(orderNo);
    },
  };
}
