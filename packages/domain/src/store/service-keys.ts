import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { keyId, parsePrivateKey, parsePublicKey, toJwk } from '@tidegate/signature';
import type pg from 'pg';
import type { Vault } from './vault.ts';

/** The service's own keys, with which it signs notifications (decisions 2.5). */
export interface ServiceKeys {
  /** The key that signs now. Throws if there is none. */
  signing(): Promise<{ keyId: string; key: KeyObject; publicKeyPem: string }>;
  /** Every published key, the signing one first. */
  jwks(): Promise<{ keys: object[] }>;
}

interface Row {
  keyId: string;
  publicKeyPem: string;
  privateKey: Buffer;
}

const keptFor = 5_000;

export function openServiceKeys(pool: pg.Pool, vault: Vault): ServiceKeys {
  let kept: { until: number; rows: Promise<Row[]> } | null = null;
  // Opened once for as long as its row is kept, not for each notification.
  const opened = new WeakMap<Row, KeyObject>();
  const published = (): Promise<Row[]> => {
    if (kept && kept.until > performance.now()) return kept.rows;
    const rows = pool.query<Row>({ name: 'service-keys', text: publishedSql }).then((result) => result.rows);
    kept = { until: performance.now() + keptFor, rows };
    rows.catch(() => {
      kept = null;
    });
    return rows;
  };
  return {
    async signing() {
      const [row] = await published();
      if (!row) throw new Error('the service has no signing key');
      const key = opened.get(row) ?? parsePrivateKey(vault.open(row.privateKey, `service key ${row.keyId}`));
      opened.set(row, key);
      return { keyId: row.keyId, key, publicKeyPem: row.publicKeyPem };
    },
    async jwks() {
      return { keys: (await published()).map((row) => toJwk(parsePublicKey(row.publicKeyPem))) };
    },
  };
}

/** Makes the service's first signing key; leaves things alone where there is one. */
export async function ensureServiceKey(pool: pg.Pool, vault: Vault): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = keyId(publicKey);
  await pool.query(
    `insert into service_key (key_id, public_key_pem, private_key) select $1, $2, $3 where not exists (select from service_key)`,
    [
      id,
      publicKey.export({ type: 'spki', format: 'pem' }),
      vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), `service key ${id}`),
    ],
  );
}

const publishedSql = `select key_id as "keyId", public_key_pem as "publicKeyPem", private_key as "privateKey" from service_key
  where retires_at is null or retires_at > clock_timestamp() order by retires_at is not null, created_at desc`;
