import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { ChannelSettings } from '@tidegate/domain/channels';
import * as z from 'zod';
import type { CredentialField } from '../provider-adapter.ts';
import { readBaseUrl } from '../read-base-url.ts';
import { readCertificates, rootSerialOf, serialOf } from './certificates.ts';

export const credentialFields: readonly CredentialField[] = [
  field('appId', 'APPID', true, 'Open platform, your application: its number of 16 digits.'),
  field('sellerId', 'PID', true, 'Open platform, account centre: the number of 16 digits that begins with 2088.'),
  field(
    'appPrivateKey',
    'Application private key',
    true,
    'The RSA2 key of 2048 bits that you made for the application.',
  ),
  field(
    'alipayPublicKey',
    'Alipay public key',
    false,
    'Key mode: shown after you uploaded the application public key.',
  ),
  field(
    'appCertificate',
    'Application certificate',
    false,
    'Certificate mode: the content of appCertPublicKey_APPID.crt.',
  ),
  field(
    'alipayCertificate',
    'Alipay certificate',
    false,
    'Certificate mode: alipayCertPublicKey_RSA2.crt. A new one can be added below it.',
  ),
  field(
    'alipayRootCertificate',
    'Alipay root certificate',
    false,
    'Certificate mode: the content of alipayRootCert.crt.',
  ),
  field('product', 'Product', false, 'qr (the default) for order codes, or page for the computer website payment.'),
  field('subject', 'Order title', false, 'What the payer sees as the title of an order, at most 100 characters.'),
];

function field(name: string, label: string, isRequired: boolean, help: string): CredentialField {
  return { name, label, isRequired, help };
}

const digits = (count: number) => new RegExp(`^[0-9]{${count}}$`);
const schema = z.object({
  appId: z.string().regex(digits(16), 'appId must be 16 digits'),
  sellerId: z.string().regex(/^2088[0-9]{12}$/, 'sellerId must be 16 digits that begin with 2088'),
  appPrivateKey: z.string({ error: 'credentials lack "appPrivateKey"' }).max(8192),
  alipayPublicKey: z.string().max(8192).optional(),
  appCertificate: z.string().max(32_768).optional(),
  alipayCertificate: z.string().max(32_768).optional(),
  alipayRootCertificate: z.string().max(65_536).optional(),
  product: z.enum(['qr', 'page'], 'product must be qr or page').default('qr'),
  // Alipay does not allow /, = and & in titles.
  subject: z
    .string()
    .regex(/^[^/=&]{1,100}$/, 'subject must have 1 to 100 characters without /, = and &')
    .default('订单'),
});

/** An application at Alipay, ready for use. */
export interface AlipayAccount {
  gatewayUrl: string;
  appId: string;
  sellerId: string;
  product: 'qr' | 'page';
  subject: string;
  privateKey: KeyObject;
  /** Keys of Alipay that may sign. In certificate mode each with its certificate. */
  trusted: readonly { key: KeyObject; serial?: string }[];
  certificates: Certificates | null;
}

export interface Certificates {
  appSerial: string;
  rootSerial: string;
  /** The application's and Alipay's certificates; for the check of their dates. */
  all: readonly { name: string; certificate: X509Certificate }[];
}

/** Reads the settings of a channel. Throws `channel ID: ` and the reason, without any secret. */
export function readSettings(settings: ChannelSettings): AlipayAccount {
  const { channelId, credentials } = settings;
  const fail = (reason: string): never => {
    throw new Error(`channel ${channelId}: ${reason}`);
  };
  const gatewayUrl = gatewayOf(readBaseUrl(settings));
  // An empty credential is one that was not entered.
  const entered = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''));
  const parsed = schema.safeParse(entered);
  if (!parsed.success) return fail(parsed.error.issues[0]?.message ?? 'unusable credentials');
  const { appId, sellerId, product, subject, ...secrets } = parsed.data;
  const account = { appId, sellerId, product, subject, gatewayUrl };
  const privateKey =
    readPrivateKey(secrets.appPrivateKey) ?? fail('appPrivateKey must be an RSA private key of 2048 bits');
  if (secrets.alipayCertificate === undefined) {
    const key = readPublicKey(secrets.alipayPublicKey ?? '');
    if (key === null) return fail('alipayPublicKey must be an RSA public key, or enter the three certificates');
    return { ...account, privateKey, trusted: [{ key }], certificates: null };
  }
  const found =
    certificatesOf(secrets) ??
    fail('appCertificate, alipayCertificate and alipayRootCertificate must be RSA certificates');
  return { ...account, privateKey, ...found };
}

function gatewayOf(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/gateway.do` : baseUrl;
}

function certificatesOf(secrets: {
  appCertificate?: string | undefined;
  alipayCertificate?: string | undefined;
  alipayRootCertificate?: string | undefined;
}): Pick<AlipayAccount, 'trusted' | 'certificates'> | null {
  try {
    const [app] = readCertificates(secrets.appCertificate ?? '');
    const alipay = readCertificates(secrets.alipayCertificate ?? '');
    const rootSerial = rootSerialOf(readCertificates(secrets.alipayRootCertificate ?? ''));
    if (!app || alipay.length === 0 || rootSerial === '') return null;
    const trusted = alipay.map((certificate) => ({ key: certificate.publicKey, serial: serialOf(certificate) }));
    const all = [
      { name: 'application certificate', certificate: app },
      ...alipay.map((certificate) => ({ name: 'Alipay certificate', certificate })),
    ];
    return { trusted, certificates: { appSerial: serialOf(app), rootSerial, all } };
  } catch {
    return null;
  }
}

/** Alipay's tools show keys as base64 without PEM lines. */
function readPrivateKey(text: string): KeyObject | null {
  const key =
    attempt(() => createPrivateKey(text)) ??
    attempt(() => createPrivateKey({ key: fromBase64(text), format: 'der', type: 'pkcs8' })) ??
    attempt(() => createPrivateKey({ key: fromBase64(text), format: 'der', type: 'pkcs1' }));
  return key && isRsa2048(key) ? key : null;
}

function readPublicKey(text: string): KeyObject | null {
  const key =
    attempt(() => createPublicKey(text)) ??
    attempt(() => createPublicKey({ key: fromBase64(text), format: 'der', type: 'spki' }));
  return key && isRsa2048(key) ? key : null;
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text.replace(/\s/g, ''), 'base64');
}

function isRsa2048(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
}

function attempt(read: () => KeyObject): KeyObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}
