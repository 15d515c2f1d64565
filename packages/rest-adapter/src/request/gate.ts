import type { Attempts } from '@tidegate/process';
import type { Admission } from './admission.ts';
import type { RestDomain } from './rest-domain.ts';

/** What authentication needs. */
export interface Gate {
  domain: Pick<RestDomain, 'merchant' | 'keyUsed'>;
  admission: Admission;
  /** Requests whose signature fails, by address. */
  attempts: Attempts;
  environment: 'sandbox' | 'production';
  /** Number of our own proxies before this server. */
  trustedProxies: number;
  /** Unix milliseconds. */
  clock: () => number;
}
