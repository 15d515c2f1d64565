import type { SignedCall } from '../authenticate.ts';
import type { Answer } from '../envelope.ts';
import type { RestDomain } from '../rest-domain.ts';

/** An operation of the merchant interface, after authentication. */
export interface Endpoint {
  method: 'GET' | 'POST';
  /** Below `/api/v1/merchant`. */
  path: string;
  answer(domain: RestDomain, call: SignedCall): Promise<Answer>;
}
