import { InvalidKey, parsePublicKey } from '@tidegate/signature';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const sharedKeyRule = 'a public key belongs to one merchant';
export const unusableKeyRule = 'a public key has a size and exponent that are allowed';

interface Key {
  merchantId: string;
  keyId: string;
  publicKeyPem: string;
  isAnothers: boolean;
}

/**
 * Checks the active public keys of these merchants (decisions 2.1, 2.5): keys that another merchant registered first,
 * from before that was refused, and keys that verify nothing. The other merchant is not named: the operator may be
 * restricted to this one.
 */
export async function checkMerchantKeys(read: Read, merchantIds: readonly string[]): Promise<Violation[]> {
  const keys = await read<Key>(keysSql, [merchantIds]);
  return keys.flatMap(({ merchantId, keyId, publicKeyPem, isAnothers }) => {
    const violation = (rule: string, detail: string): Violation[] => [
      { rule, merchantId, subject: `key ${keyId}`, detail },
    ];
    const problem = problemOf(publicKeyPem);
    return [
      ...(isAnothers ? violation(sharedKeyRule, 'another merchant had this key first') : []),
      ...(problem === null ? [] : violation(unusableKeyRule, `it verifies nothing: ${problem}`)),
    ];
  });
}

function problemOf(publicKeyPem: string): string | null {
  try {
    parsePublicKey(publicKeyPem);
    return null;
  } catch (error) {
    if (error instanceof InvalidKey) return error.message;
    throw error;
  }
}

const keysSql = `
select k.merchant_id as "merchantId", k.key_id as "keyId", k.public_key_pem as "publicKeyPem", coalesce(o.owner <> k.merchant_id, false) as "isAnothers"
from unnest($1::text[]) as m(merchant_id) join merchant_key k using (merchant_id) left join public_key_owner o on o.key_id = k.key_id
where k.expires_at is null or k.expires_at > now() order by k.merchant_id, k.key_id limit 10000`;
