import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readDatabaseUrl } from '@tidegate/settings';

/** Limits of a migration's session, in milliseconds: for a statement, and for waiting for one lock. */
export interface MigrationTimeouts {
  statementMs: number;
  lockMs: number;
}

/** How long a statement of a service waits for a lock, in ms. */
const maxLockMs = 5_000;

/**
 * How each connection of this process reaches the database, and its limits, as options of the driver. They have no functions, so they can
 * be sent to another thread. `timeoutMs`: how long the process waits for an answer. Throws if the URL is not valid.
 */
export function connectionOptions(url: string, timeoutMs: number, migrating?: MigrationTimeouts) {
  return {
    ...addressOf(url),
    // On a busy machine a first connection takes seconds. Who serves merchants has a short limit of its own.
    connectionTimeoutMillis: Math.min(15_000, timeoutMs),
    // An index over all orders takes longer than any statement of a service.
    statement_timeout: migrating?.statementMs ?? 15_000,
    // Shorter than the process's own limit, so that a statement that was given up does not wait for a lock or hold
    // one.
    lock_timeout: migrating?.lockMs ?? Math.min(maxLockMs, Math.round(timeoutMs * 0.7)),
    // A transaction of a dead process must not hold a wallet. The ledger writer's own transactions set a shorter limit.
    idle_in_transaction_session_timeout: migrating ? 15_000 : 5_000,
    keepAlive: true,
  };
}

/** The options of the driver for the address, with TLS if the URL asks for it. Throws if the URL is not valid. */
export function addressOf(url: string) {
  const read = readDatabaseUrl(url);
  if (!read.ok) throw new Error(`the address of the database ${read.problem}`);
  const { place } = read;
  return { connectionString: place.url, ssl: place.tls === null ? undefined : tlsOf(place.host, place.tls) };
}

/**
 * The certificate has to be issued for `host`. The driver itself checks the name only if it is no IP address.
 * `NODE_TLS_REJECT_UNAUTHORIZED` must not turn the check off.
 */
function tlsOf(host: string, { rootCertificates: file }: { rootCertificates: string | null }) {
  const always = { host, rejectUnauthorized: true };
  return file === null ? always : { ...always, ca: readCertificates(file) };
}

/** Node would trust all public authorities if the file were empty. */
function readCertificates(file: string): string {
  const pem = readFileSync(file, 'utf8');
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new Error(`${file} has no certificate in PEM that can be read`, { cause });
  }
  return pem;
}
