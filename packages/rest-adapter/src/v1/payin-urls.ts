import type { RestDomain } from '../rest-domain.ts';

/** Where a payin is paid. Made only where the country's view shows it, as its token costs as much as checking a signature. */
export function urlsOf(domain: RestDomain, orderNo: string): { readonly payUrl: string } {
  return {
    get payUrl() {
      return domain.payUrlOf(orderNo);
    },
  };
}
