import { type Finding, wrong } from './finding.ts';
import { type RsaKey, readRsaKey } from './rsa-key.ts';

/**
 * Reads the given keys. The result is the public key as registered at the service, or else the private key's public
 * half.
 */
export function checkKeys(keys: { publicKey?: string | undefined; privateKey?: string | undefined }): {
  key: RsaKey | null;
  findings: Finding[];
} {
  const findings: Finding[] = [];
  const read = (text: string | undefined, which: string): RsaKey | null => {
    if (text === undefined) return null;
    const key = readRsaKey(text);
    if ('n' in key) return key;
    findings.push(wrong('key', `the ${which} key cannot be used: ${key.problem}`, key.fix));
    return null;
  };
  const ofService = read(keys.publicKey, 'public');
  const ofMerchant = read(keys.privateKey, 'private');
  if (ofService && ofMerchant && ofService.n !== ofMerchant.n)
    findings.push(
      wrong(
        'key',
        'the private key does not belong to the public key',
        'register the public half of the key that you sign with, or sign with the private half of the one that is registered: openssl pkey -in private.pem -pubout',
      ),
    );
  return { key: ofService ?? ofMerchant, findings };
}
