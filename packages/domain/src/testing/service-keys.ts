import { keyId } from '@tidegate/signature';
import { ensureServiceKey, generateServiceKey } from '../configuration/make-service-key.ts';
import { rotateServiceKey } from '../configuration/rotate-service-key.ts';
import type { Domain } from '../open-domain.ts';

/** Adds a common key, as in the version before. Returns its id. */
export async function makeCommonKey({ database, vault }: Pick<Domain, 'database' | 'vault'>): Promise<string> {
  const { publicKey, privateKey } = await generateServiceKey();
  const id = keyId(publicKey);
  await database.pool.query('insert into service_key (key_id, public_key_pem, private_key) values ($1, $2, $3)', [
    id,
    publicKey.export({ type: 'spki', format: 'pem' }),
    vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), `service key ${id}`),
  ]);
  return id;
}

/** Gives a merchant a service key, and one that it replaced. */
export async function giveServiceKeys({ database, vault }: Domain, merchantId: string): Promise<void> {
  await ensureServiceKey(database.pool, vault, merchantId);
  await rotateServiceKey({ database, vault }, merchantId, await generateServiceKey(), 60_000);
}
