import type { Admission } from './admission.ts';
import type { RestDomain } from './rest-domain.ts';

/** What a request is authenticated with. */
export interface Gate {
  domain: Pick<RestDomain, 'merchant' | 'keyUsed'>;
  admission: Admission;
  environment: 'sandbox' | 'production';
  /** Proxies of ours that a request passes before it comes here. */
  trustedProxies: number;
  /** Unix milliseconds. */
  clock: () => number;
}
