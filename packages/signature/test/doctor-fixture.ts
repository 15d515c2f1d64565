import { createPrivateKey, createPublicKey, sign as rsaSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { takeKeyPair } from '../../domain/src/testing/key-pool.ts';
import { type DoctorInput, diagnose, type Finding } from '../src/doctor/diagnose.ts';

/** Keys of unusual lengths. Only for tests. */
const oddKeys = JSON.parse(readFileSync(new URL('odd-keys.json', import.meta.url), 'utf8')) as Record<number, string>;

export const pair = (bits: 1024 | 2048 | 3072 = 2048) => {
  const der = Buffer.from(oddKeys[bits] ?? '', 'base64');
  const privateKey =
    bits === 2048 ? takeKeyPair().privateKey : createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { privateKey, pem: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() };
};
export const { privateKey, pem } = pair();
export const unknownKey = pair();

export const timestamp = '1790000000';
export const nonce = '3f2b0a52-5a0e-4a0f-9c55-1f6f4f0d7c11';
export const BODY =
  '{"merchantOrderNo":"M-1","amount":100.50,"currency":"INR","Remark":"50% & é","empty":"","metadata":{"ifsc":"HDFC0001234","tags":["a","b"]}}';
export const RIGHT = `Remark=50%25 %26 é&amount=100.50&currency=INR&merchantOrderNo=M-1&metadata.ifsc=HDFC0001234&metadata.tags[0]=a&metadata.tags[1]=b&nonce=${nonce}&timestamp=${timestamp}`;

export type Signer = (text: string) => string;
export const signText: Signer = (text) => rsaSign('sha256', Buffer.from(text), privateKey).toString('base64');
export const headersOf = (signature: string) => ({
  'X-Merchant-No': 'IN10001',
  'X-Timestamp': timestamp,
  'X-Nonce': nonce,
  'X-Sign': signature,
  'Content-Type': 'application/json',
});
export const seeWith = (input: DoctorInput) => diagnose({ body: BODY, publicKey: pem, ...input });
export const wrongs = (findings: Finding[]) => findings.filter(({ severity }) => severity === 'wrong');
export const stepsOf = (findings: Finding[]) => wrongs(findings).map(({ step }) => step);
