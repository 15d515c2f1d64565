/** The address of a PostgreSQL database, from `DATABASE_URL`. */
export interface DatabasePlace {
  /** The URL without its parameters. */
  url: string;
  /** A name, or an IP address without brackets. */
  host: string;
  /** Null: the connection is not encrypted. */
  tls: {
    /** A file with the certificates of the authorities to trust, as PEM. Null: those that Node trusts. */
    rootCertificates: string | null;
  } | null;
}

export type ReadDatabaseUrl = { ok: true; place: DatabasePlace } | { ok: false; problem: string };

const mode = 'sslmode';
const certificates = 'sslrootcert';

/**
 * Reads `postgres://user:password@host:port/database`. Two parameters are allowed, named like those of PostgreSQL's own clients:
 * - `sslmode`: `verify-full` uses TLS, and checks the server's certificate and its name. `disable` (the default) does
 * not use TLS. Other modes are refused, because with them anyone in the network path could act as the server.
 * - `sslrootcert`: a PEM file with the authorities that may have issued the certificate.
 * Returns the first problem, as a text that follows the variable's name and never contains its value.
 */
export function readDatabaseUrl(text: string): ReadDatabaseUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return refused('has to be a URL that begins with postgres://');
  const { searchParams } = url;
  if (text.includes('#')) return refused('has a #, which has to be written %23');
  const names = [...searchParams.keys()];
  if (names.some((name) => name !== mode && name !== certificates))
    return refused(`has a parameter that is not known: there are ${mode} and ${certificates}`);
  if (new Set(names).size < names.length) return refused('has the same parameter twice');
  const [wanted, file] = [searchParams.get(mode) ?? 'disable', searchParams.get(certificates)];
  if (wanted !== 'disable' && wanted !== 'verify-full')
    return refused(`has an unsafe ${mode}: it can be verify-full, or disable for no encryption`);
  if (file !== null && (file === '' || wanted === 'disable'))
    return refused(`has ${certificates}, which has to name a file and needs ${mode}=verify-full`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (wanted === 'verify-full' && host === '') return refused(`has to name the host for ${mode}=verify-full`);
  const tls = wanted === 'disable' ? null : { rootCertificates: file };
  url.search = '';
  return { ok: true, place: { url: url.href, host, tls } };
}

function refused(problem: string): ReadDatabaseUrl {
  return { ok: false, problem };
}
