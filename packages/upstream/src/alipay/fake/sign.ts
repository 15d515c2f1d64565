import { createSign, createVerify, type KeyObject } from 'node:crypto';

// RSA2 as Alipay's gateway does it. Written apart from the adapter, so that both cannot be wrong alike.

/** Whether the application signed these parameters. */
export function isSignedBy(publicKey: KeyObject, parameters: ReadonlyMap<string, string>): boolean {
  const lines: string[] = [];
  for (const name of [...parameters.keys()].sort()) {
    const value = parameters.get(name);
    if (name !== 'sign' && value) lines.push(`${name}=${value}`);
  }
  const verifier = createVerify('RSA-SHA256').update(lines.join('&'), 'utf8');
  return verifier.verify(publicKey, parameters.get('sign') ?? '', 'base64');
}

/** The signature of an answer's bytes. */
export function signAnswer(key: KeyObject, answer: Uint8Array): string {
  return createSign('RSA-SHA256').update(answer).sign(key, 'base64');
}

/** A notification as a form, with its signature. `sign_type` is not covered. */
export function signNotification(key: KeyObject, fields: Record<string, string>): string {
  const lines = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`);
  const sign = createSign('RSA-SHA256').update(lines.join('&'), 'utf8').sign(key, 'base64');
  return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign }).toString();
}
