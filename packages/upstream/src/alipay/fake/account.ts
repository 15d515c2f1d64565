import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomInt } from 'node:crypto';
import { makeCertificate } from './certificates.ts';

/** What the fake knows of an application. Alipay's private keys are in it, because the fake is Alipay. */
export interface FakeAccount {
  appId: string;
  sellerId: string;
  appPublicKey: KeyObject;
  /** The key that signs now, and the one after a rotation. */
  alipayKeys: [AlipayKey, AlipayKey];
  /** Serial numbers that requests must have; only in certificate mode. */
  expectedSerials: { app: string; root: string } | null;
}

export interface AlipayKey {
  key: KeyObject;
  serial?: string;
}

export interface MadeAccount {
  credentials: Record<string, string>;
  account: Record<string, string>;
}

/** Keys of an application and of Alipay, as PKCS 8 PEM. */
export interface AccountKeys {
  app: string;
  alipay: string;
  nextAlipay: string;
}

function makeKeys(): AccountKeys {
  const make = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  };
  return { app: make(), alipay: make(), nextAlipay: make() };
}

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');

/** An application in key mode: the merchant has Alipay's public key. */
export function makeKeyAccount(keys: AccountKeys = makeKeys()): MadeAccount {
  const [appId, sellerId] = [`2021${digits(12)}`, `2088${digits(12)}`];
  const alipayPublicKey = publicPem(keys.alipay);
  return {
    credentials: { appId, sellerId, appPrivateKey: keys.app, alipayPublicKey },
    account: { appId, sellerId, appPublicKey: publicPem(keys.app), alipayKey: keys.alipay, nextKey: keys.nextAlipay },
  };
}

/** An application in certificate mode. `trustsNext`: the merchant has Alipay's next certificate too. */
export function makeCertificateAccount(
  keys: AccountKeys = makeKeys(),
  { trustsNext = false, days = 365 }: { trustsNext?: boolean; days?: number } = {},
): MadeAccount {
  const account = makeKeyAccount(keys);
  const root = makeCertificate({ subjectKey: keys.alipay, signingKey: keys.alipay, commonName: 'Fake Root R1', days });
  const issue = (subjectKey: string, commonName: string) =>
    makeCertificate({ subjectKey, signingKey: keys.alipay, commonName, days, issuerName: 'Fake Class 1 R1' });
  const app = issue(keys.app, 'the application');
  const alipay = issue(keys.alipay, 'Alipay');
  const next = issue(keys.nextAlipay, 'Alipay, next');
  const { alipayPublicKey: _, ...credentials } = account.credentials;
  return {
    credentials: {
      ...credentials,
      appCertificate: app.pem,
      alipayCertificate: alipay.pem + (trustsNext ? next.pem : ''),
      alipayRootCertificate: root.pem,
    },
    account: {
      ...account.account,
      appSerial: app.serial,
      rootSerial: root.serial,
      alipaySerial: alipay.serial,
      nextSerial: next.serial,
    },
  };
}

export function readAccount(account: Record<string, string>): FakeAccount {
  const { appId = '', sellerId = '', appPublicKey = '', alipayKey = '', nextKey = '' } = account;
  const { appSerial, rootSerial, alipaySerial, nextSerial } = account;
  const key = (pem: string, serial: string | undefined): AlipayKey => ({
    key: createPrivateKey(pem),
    ...(serial !== undefined && { serial }),
  });
  return {
    appId,
    sellerId,
    appPublicKey: createPublicKey(appPublicKey),
    alipayKeys: [key(alipayKey, alipaySerial), key(nextKey, nextSerial)],
    expectedSerials: appSerial === undefined ? null : { app: appSerial, root: rootSerial ?? '' },
  };
}

function publicPem(privatePem: string): string {
  return createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
}
