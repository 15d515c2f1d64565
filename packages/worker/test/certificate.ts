import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** The fields of a certificate. Days are counted from now, and may be negative. */
export interface CertificateWishes {
  /** DNS names and IPv4 addresses. */
  names: readonly string[];
  fromDay?: number;
  toDay?: number;
}

export interface Authority {
  /** The authority's certificate, for clients that trust it. */
  pem: string;
  /** The authority's own key, PEM, for a server with a self-signed certificate. */
  key: string;
  /** A server's certificate and key, as PEM. */
  issue(wishes: CertificateWishes): { key: string; cert: string };
}

/** A certificate authority for tests: X.509 v3, P-256. */
export function makeAuthority(name = 'Authority of a test'): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguishedName(name);
  const certify = (subject: Buffer, key: KeyObject, wishes: CertificateWishes, extension: Buffer): string => {
    const { fromDay = -1, toDay = 30 } = wishes;
    const content = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ecdsaWithSha256,
      issuer,
      sequence(time(fromDay), time(toDay)),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extension)),
    );
    const signature = sign('sha256', content, own.privateKey);
    return pem(sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature)));
  };
  const isAuthority = sequence(
    oid('551d13'),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  return {
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    pem: certify(issuer, own.publicKey, { names: [] }, isAuthority),
    issue(wishes) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = wishes.names.map((one) =>
        isIPv4(one) ? der(0x87, Buffer.from(one.split('.').map(Number))) : der(0x82, Buffer.from(one)),
      );
      const alternativeNames = sequence(oid('551d11'), der(0x04, sequence(...names)));
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: certify(distinguishedName('A server of a test'), publicKey, wishes, alternativeNames),
      };
    },
  };
}

/** A value in ASN.1 DER. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(day: number): Buffer {
  const text = new Date(Date.now() + day * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

function pem(content: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${content.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`;
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
