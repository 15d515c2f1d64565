import type { SignedCall } from '../request/authenticate.ts';
import type { Answer } from '../request/envelope.ts';
import type { RestDomain } from '../request/rest-domain.ts';

/** An operation of the merchant interface, after authentication. */
export interface Endpoint {
  method: 'GET' | 'POST';
  /** Below `/api/v1/merchant`. */
  path: string;
  answer(domain: RestDomain, call: SignedCall): Promise<Answer>;
}
