import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import {
  type ChannelSettings,
  type CredentialField,
  type SettingProblem,
  UnusableSettings,
} from '@tidegate/domain/channels';
import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { secureUrl } from '../provider/read-base-url.ts';
import { credentialProblem, readParts } from '../provider/read-parts.ts';
import { readCertificates, rootSerialOf, serialOf } from './certificates.ts';

const optional = { isRequired: false, isSecret: false } as const;

export const credentialFields: readonly CredentialField[] = [
  {
    name: 'appId',
    purposes: ['payin', 'callback', 'payout', 'statement'],
    label: 'APPID',
    isRequired: true,
    isSecret: false,
    help: 'Open platform, your application: its number of 16 digits.',
  },
  {
    name: 'sellerId',
    purposes: ['payin', 'callback'],
    label: 'PID',
    isRequired: true,
    isSecret: false,
    help: 'Open platform, account centre: the number of 16 digits that begins with 2088.',
  },
  {
    name: 'appPrivateKey',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Application private key',
    isRequired: true,
    isSecret: true,
    help: 'The RSA2 key of 2048 bits that you made for the application.',
  },
  {
    ...optional,
    name: 'alipayPublicKey',
    purposes: ['payin', 'callback'],
    label: 'Alipay public key',
    help: 'Key mode: shown after you uploaded the application public key.',
  },
  {
    ...optional,
    name: 'appCertificate',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Application certificate',
    help: 'Certificate mode: the content of appCertPublicKey_APPID.crt.',
  },
  {
    ...optional,
    name: 'alipayCertificate',
    purposes: ['payin', 'callback'],
    label: 'Alipay certificate',
    help: 'Certificate mode: alipayCertPublicKey_RSA2.crt. A new one can be added below it.',
  },
  {
    ...optional,
    name: 'alipayRootCertificate',
    purposes: ['payin', 'payout', 'statement'],
    label: 'Alipay root certificate',
    help: 'Certificate mode: the content of alipayRootCert.crt.',
  },
  {
    ...optional,
    name: 'product',
    purposes: ['payin'],
    label: 'Product',
    choices: ['qr', 'page'],
    help: 'qr (the default) for order codes, or page for the computer website payment.',
  },
  {
    ...optional,
    name: 'subject',
    purposes: ['payin'],
    label: 'Order title',
    help: 'What the payer sees as the title of an order, at most 100 characters.',
  },
];

const tooLong = 'is too long';
const schema = z.object({
  appId: matchingText(16, /^[0-9]{16}$/, 'must be 16 digits'),
  sellerId: matchingText(16, /^2088[0-9]{12}$/, 'must be 16 digits that begin with 2088'),
  appPrivateKey: boundedText(8192, undefined, tooLong),
  alipayPublicKey: boundedText(8192, undefined, tooLong).optional(),
  appCertificate: boundedText(32_768, undefined, tooLong).optional(),
  alipayCertificate: boundedText(32_768, undefined, tooLong).optional(),
  alipayRootCertificate: boundedText(65_536, undefined, tooLong).optional(),
  product: z.enum(['qr', 'page'], 'must be qr or page').default('qr'),
  // Alipay does not allow /, = and & in titles.
  subject: matchingText(100, /^[^/=&]{1,100}$/, 'must have 1 to 100 characters without /, = and &').default('订单'),
});

/** An application at Alipay, ready for use. */
export interface AlipayAccount {
  gatewayUrl: string;
  appId: string;
  sellerId: string;
  product: 'qr' | 'page';
  subject: string;
  privateKey: KeyObject;
  /** Keys of Alipay that are trusted. In certificate mode each has its certificate. */
  trusted: readonly { key: KeyObject; serial?: string }[];
  certificates: Certificates | null;
}

export interface Certificates {
  appSerial: string;
  rootSerial: string;
  /** The application's and Alipay's certificates; for the check of their dates. */
  all: readonly { name: string; certificate: X509Certificate }[];
}

/** Reads the settings of a channel. Throws `UnusableSettings` for those that cannot be used. */
export function readSettings(settings: ChannelSettings): AlipayAccount {
  // An empty credential counts as missing.
  const credentials = Object.fromEntries(
    Object.entries(settings.credentials).filter(([, value]) => value.trim() !== ''),
  );
  const { baseUrl, entered } = readParts({ ...settings, credentials }, schema, secureUrl);
  const { appId, sellerId, product, subject, ...secrets } = entered;
  const privateKey = readPrivateKey(secrets.appPrivateKey);
  const trust = secrets.alipayCertificate === undefined ? trustOfKey(secrets) : trustOfCertificates(secrets);
  if (privateKey === null || Array.isArray(trust))
    throw new UnusableSettings(settings.channelId, [
      ...(privateKey ? [] : [credentialProblem('appPrivateKey', 'must be an RSA private key of 2048 bits or more')]),
      ...(Array.isArray(trust) ? trust : []),
    ]);
  return { appId, sellerId, product, subject, gatewayUrl: gatewayOf(baseUrl), privateKey, ...trust };
}

function gatewayOf(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? `${baseUrl}/gateway.do` : baseUrl;
}

/** The keys whose signatures are trusted, or the problems of the credentials that name them. */
type Trust = Pick<AlipayAccount, 'trusted' | 'certificates'> | SettingProblem[];

interface TrustSecrets {
  alipayPublicKey?: string | undefined;
  appCertificate?: string | undefined;
  alipayCertificate?: string | undefined;
  alipayRootCertificate?: string | undefined;
}

function trustOfKey({ alipayPublicKey }: TrustSecrets): Trust {
  const key = readPublicKey(alipayPublicKey ?? '');
  if (key) return { trusted: [{ key }], certificates: null };
  return [
    credentialProblem(
      'alipayPublicKey',
      'must be an RSA public key of 2048 bits or more, or enter the three certificates',
    ),
  ];
}

function trustOfCertificates(secrets: TrustSecrets): Trust {
  const read = (pem = '') => attempt(() => readCertificates(pem)) ?? [];
  const [app] = read(secrets.appCertificate);
  // A key that is too short is not trusted; a longer one below it still is.
  const alipay = read(secrets.alipayCertificate).filter((one) => attempt(() => isRsa2048(one.publicKey)) ?? false);
  const trusted = alipay.map((certificate) => ({ key: certificate.publicKey, serial: serialOf(certificate) }));
  const rootSerial = rootSerialOf(read(secrets.alipayRootCertificate));
  if (!app || trusted.length === 0 || rootSerial === '')
    return [
      ...(app ? [] : ['appCertificate']),
      ...(trusted.length > 0 ? [] : ['alipayCertificate']),
      ...(rootSerial === '' ? ['alipayRootCertificate'] : []),
    ].map((name) => credentialProblem(name, 'must be an RSA certificate of 2048 bits'));
  const all = [
    { name: 'application certificate', certificate: app },
    ...alipay.map((certificate) => ({ name: 'Alipay certificate', certificate })),
  ];
  return { trusted, certificates: { appSerial: serialOf(app), rootSerial, all } };
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

function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
