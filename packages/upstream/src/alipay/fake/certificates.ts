import { createHash, createPublicKey, createSign, randomBytes } from 'node:crypto';

// A small maker of X.509 certificates: enough DER for what Alipay issues.

export interface MadeCertificate {
  pem: string;
  /** Alipay's own kind of serial number. */
  serial: string;
}

export interface CertificateRequest {
  /** PEM of the private key whose public half is certified. */
  subjectKey: string;
  signingKey: string;
  commonName: string;
  /** Default: the common name, so that the certificate is its own root. */
  issuerName?: string;
  /** How long it is valid from now; negative: it has expired. */
  days: number;
}

const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'));

/** Makes a certificate. */
export function makeCertificate(request: CertificateRequest): MadeCertificate {
  const { subjectKey, signingKey, commonName, issuerName = commonName, days } = request;
  // The first byte is small and not zero, so the number is positive and has no leading zero.
  const number = Buffer.concat([Buffer.from([0x20]), randomBytes(15)]);
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, number),
    sha256WithRsa,
    distinguishedName(issuerName),
    sequence(utcTime(now - 400 * 86_400_000), utcTime(now + days * 86_400_000)),
    distinguishedName(commonName),
    createPublicKey(subjectKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('RSA-SHA256').update(body).sign(signingKey);
  const certificate = sequence(body, sha256WithRsa, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  const decimal = BigInt(`0x${number.toString('hex')}`).toString(10);
  const issuer = `CN=${issuerName},OU=Fake Authority,O=Fake Financial,C=CN`;
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    serial: createHash('md5')
      .update(issuer + decimal)
      .digest('hex'),
  };
}

function distinguishedName(commonName: string): Buffer {
  const part = (type: number, tag: number, value: string) =>
    der(0x31, sequence(Buffer.from([0x06, 0x03, 0x55, 0x04, type]), der(tag, Buffer.from(value, 'utf8'))));
  return sequence(
    part(6, 0x13, 'CN'),
    part(10, 0x0c, 'Fake Financial'),
    part(11, 0x0c, 'Fake Authority'),
    part(3, 0x0c, commonName),
  );
}

function utcTime(unixMs: number): Buffer {
  const text = new Date(unixMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2), 'ascii'));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}
