import type { RestDomain } from '../request/rest-domain.ts';

/**
 * The checkout URL of a payin. It is computed only if the view of the country shows it, because its token takes as long
 * as verifying a signature.
 */
export function urlsOf(domain: RestDomain, orderNo: string): { readonly payUrl: string } {
  return {
    get payUrl() {
      return domain.payUrlOf(orderNo);
    },
  };
}
