import type { Country } from '@tidegate/domain';
import { openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { parsePrivateKey } from '@tidegate/signature';
import { restDomainOf } from '../src/request/rest-domain.ts';
import { ask, type Envelope, type Fixture, signedGet, signedPost, startFixture } from './rest-fixture.ts';

/** A merchant with its private key. */
export interface Merchant {
  merchantId: string;
  privateKeyPem: string;
}

/** The adapter with a real domain and database. The test sets the channel's answers. */
export interface PayoutFixture {
  real: TestDomain;
  /** Sends a signed POST of an object, or of a JSON text. */
  post(merchant: Merchant, path: string, body: object | string): Promise<{ response: Response } & Envelope>;
  get(merchant: Merchant, path: string, query?: string): Promise<{ response: Response } & Envelope>;
  close(): Promise<void>;
}

export async function startPayoutFixture(): Promise<PayoutFixture> {
  const real = await openTestDomain((await createTestDatabase()).url);
  const fixture: Fixture = await startFixture({ domain: restDomainOf(real.domain) });
  const url = (path: string): string => `${fixture.url}/api/v1/merchant${path}`;
  return {
    real,
    post: async ({ merchantId, privateKeyPem }, path, body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return ask(url(path), await signedPost(merchantId, text, { key: parsePrivateKey(privateKeyPem) }));
    },
    get: async ({ merchantId, privateKeyPem }, path, query = '') => {
      const init = await signedGet(merchantId, query, { key: parsePrivateKey(privateKeyPem) });
      return ask(`${url(path)}${query === '' ? '' : `?${query}`}`, init);
    },
    close: async () => {
      await fixture.close();
      await real.close();
    },
  };
}

/** The required fields of a payout. */
export const leastPayout = (
  country: Extract<Country, 'IN' | 'PK'>,
  merchantOrderNo: string,
): Record<string, unknown> =>
  country === 'IN'
    ? {
        merchantOrderNo,
        countryCode: 'IN',
        currency: 'INR',
        amount: '100.00',
        receiverName: 'Asha Rao',
        receiverAccount: '50100012345678',
        metadata: { ifsc: 'HDFC0001234' },
      }
    : {
        merchantOrderNo,
        amount: '100.00',
        bankCode: 'HBL',
        payee_realname: 'Ali Khan',
        payee_account: 'PK36SCBL0000001123456702',
      };
