import { hash, X509Certificate } from 'node:crypto';
import type { Channel } from '@tidegate/domain/channels';

// Certificate mode: requests name the certificates by serial numbers of Alipay's own kind.
// Source: https://opendocs.alipay.com/common/02kg68 and the repository alipay/alipay-sdk-nodejs-all.

/** RSA signature algorithms. A root file also has certificates of other kinds, which do not count. */
const rsaSignatures = '1.2.840.113549.1.1';

/** All certificates of a PEM text. Throws if one of them cannot be read. */
export function readCertificates(pem: string): X509Certificate[] {
  const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
  const parts = pem.split(begin).slice(1);
  return parts
    .filter((part) => part.includes(end))
    .map((part) => new X509Certificate(begin + part.slice(0, part.indexOf(end)) + end));
}

/** The MD5 of the issuer (its most specific part first) and of the serial number as a decimal number. */
export function serialOf({ issuer, serialNumber }: X509Certificate): string {
  const name = issuer.split('\n').reverse().join(',');
  return hash('md5', `${name}${BigInt(`0x${serialNumber}`)}`);
}

/** The serial numbers of a root file's RSA certificates, joined by `_`. */
export function rootSerialOf(certificates: readonly X509Certificate[]): string {
  return certificates
    .filter(({ signatureAlgorithmOid }) => signatureAlgorithmOid?.startsWith(rsaSignatures))
    .map(serialOf)
    .join('_');
}

/**
 * When the certificates of an account expire, by the name of the credential. If several are trusted the last one
 * counts: during a change the new certificate is entered below the old one.
 */
export function expiriesOf(all: readonly { name: string; certificate: X509Certificate }[]): CredentialExpiries {
  const latest = new Map<string, number>();
  for (const { name, certificate } of all) {
    const credential = name === 'application certificate' ? 'appCertificate' : 'alipayCertificate';
    latest.set(credential, Math.max(latest.get(credential) ?? 0, Date.parse(certificate.validTo)));
  }
  return [...latest].map(([credential, at]) => ({ credential, at }));
}

type CredentialExpiries = NonNullable<Channel['expiries']>;
