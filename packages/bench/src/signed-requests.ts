import { parsePrivateKey, signedHeaders } from '@tidegate/signature';
import { merchantNo, payoutBody } from './merchants.ts';

/** Whole HTTP requests, signed and ready to be written to a connection: signing is the merchant's cost. */
export async function signPayouts(
  count: number,
  wallets: number,
  privateKeyPem: string,
  host: string,
): Promise<Buffer[]> {
  const key = parsePrivateKey(privateKeyPem);
  const requests: Buffer[] = [];
  const side = 16;
  const signEvery = async (): Promise<void> => {
    while (requests.length < count) {
      const body = JSON.stringify(payoutBody());
      const signature = await signedHeaders({
        merchantNo: merchantNo(1 + Math.floor(Math.random() * wallets)),
        body,
        key,
      });
      const headers = {
        host,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...signature,
      };
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      requests.push(Buffer.from(`POST /api/v1/merchant/payout/create HTTP/1.1\r\n${head.join('')}\r\n${body}`));
    }
  };
  await Promise.all(Array.from({ length: side }, signEvery));
  return requests;
}
