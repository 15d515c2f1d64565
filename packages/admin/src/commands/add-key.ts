import { addMerchantKey, changeConfiguration } from '@tidegate/domain';
import { InvalidKey, keyId, parsePublicKey } from '@tidegate/signature';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, required } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo, path } from '../readers.ts';

export const addKey = defineCommand({
  name: 'add-key',
  group: 'Merchants',
  summary: 'add a public key with which a merchant may sign, beside those that it has',
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    file: required('--public-key-file <path>', 'PEM (SPKI or PKCS#1) or bare base64 DER; - reads standard input', path),
  },
  async run({ domain, by, readInput }, { merchant, file }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const publicKey = await readInput(file);
    const id = idOf(publicKey);
    if ('problem' in id) return refused(`${file} is no key that a merchant can sign with: ${id.problem}`);
    const change = { merchantId: merchant, change: 'addMerchantKey', subject: id.keyId };
    await changeConfiguration(domain, change, by, async () => {
      await addMerchantKey(domain, merchant, publicKey);
      return true;
    });
    return done(`${merchant} may sign with key ${id.keyId}.`, { merchantNo: merchant, keyId: id.keyId });
  },
});

function idOf(publicKey: string): { keyId: string } | { problem: string } {
  try {
    return { keyId: keyId(parsePublicKey(publicKey)) };
  } catch (error) {
    if (error instanceof InvalidKey) return { problem: error.message };
    throw error;
  }
}
