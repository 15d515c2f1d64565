import { type Finding, wrong } from './finding.ts';
import type { Opened } from './open-signature.ts';
import type { RsaKey } from './rsa-key.ts';

const USE =
  'use RSASSA-PKCS1-v1_5 with SHA-256: SHA256withRSA in Java, RSA-SHA256 in Node, OPENSSL_ALGO_SHA256 in PHP, openssl dgst -sha256 -sign';

/** Checks the key, the padding and the digest of an opened signature. The signed text is not needed for that. */
export function checkOpened(opened: Opened, signature: Uint8Array, key: RsaKey): Finding[] {
  switch (opened.scheme) {
    case 'PKCS#1 v1.5':
      return opened.digest === 'SHA-256' ? [] : [wrong('digest', `the digest is ${opened.digest}`, USE)];
    case 'PSS':
      return [wrong('padding', `the signature is padded as PSS (with ${opened.digest})`, USE)];
    case 'bare':
      return [
        wrong(
          'digest',
          'the signature does not say which digest it was made with: a hash or a text was signed as it is',
          USE,
        ),
      ];
    case 'none':
      return [checkSize(signature, key)];
    default:
      return opened satisfies never;
  }
}

function checkSize(signature: Uint8Array, key: RsaKey): Finding {
  const size = Math.ceil(key.bits / 8);
  if (signature.length !== size)
    return wrong(
      'key',
      `the signature has ${signature.length} bytes, one of this key has ${size}`,
      'it was made with a key of another size, or cut off: sign with the private half of this key',
    );
  return wrong(
    'key',
    'the signature was not made with this key, or was damaged on its way',
    'check that the registered public key is that of the private key which signs: openssl pkey -in private.pem -pubout',
  );
}
