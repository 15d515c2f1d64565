import { expect, test } from 'vitest';
import { type DatabasePlace, readDatabaseUrl } from './database-url.ts';

const plain: DatabasePlace = { url: 'postgres://u:p@h:1/d', host: 'h', tls: null };
const trusted = { rootCertificates: null };

test.each<[string, DatabasePlace]>([
  ['postgres://u:p@h:1/d', plain],
  ['postgres://u:p@h:1/d?sslmode=disable', plain],
  ['postgresql://h/d', { url: 'postgresql://h/d', host: 'h', tls: null }],
  ['postgres://u:p@h:1/d?sslmode=verify-full', { ...plain, tls: trusted }],
  ['postgres://[::1]/d?sslmode=verify-full', { url: 'postgres://[::1]/d', host: '::1', tls: trusted }],
  [
    'postgres://u:p@h:1/d?sslrootcert=/run/secrets/a%20b.pem&sslmode=verify-full',
    { ...plain, tls: { rootCertificates: '/run/secrets/a b.pem' } },
  ],
])('%s is accepted', (url, place) => {
  expect(readDatabaseUrl(url)).toEqual({ ok: true, place });
});

test.each<[string, string]>([
  ['h/d', 'has to be a URL that begins with postgres://'],
  ['mysql://h/d', 'has to be a URL that begins with postgres://'],
  ['postgres://h/d?sslmode=require', 'unsafe sslmode'],
  ['postgres://h/d?sslmode=prefer', 'unsafe sslmode'],
  ['postgres://h/d?sslmode=verify-ca', 'unsafe sslmode'],
  ['postgres://h/d?sslmode=', 'unsafe sslmode'],
  ['postgres://h/d?sslmode=verify-full&sslmode=disable', 'the same parameter twice'],
  ['postgres://h/d?SSLMODE=verify-full', 'a parameter that is not known'],
  ['postgres://h/d?options=-c%20fsync=off', 'a parameter that is not known'],
  ['postgres://h/d?sslrootcert=/ca.pem', 'needs sslmode=verify-full'],
  ['postgres://h/d?sslmode=disable&sslrootcert=/ca.pem', 'needs sslmode=verify-full'],
  ['postgres://h/d?sslmode=verify-full&sslrootcert=', 'has to name a file'],
  ['postgres://h/d#sslmode=verify-full', 'written %23'],
  ['postgres:///d?sslmode=verify-full', 'has to name the host'],
])('%s is refused: %s', (url, problem) => {
  expect(readDatabaseUrl(url)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test('a problem never contains the password', () => {
  const read = readDatabaseUrl('postgres://u:hush@h/d?sslmode=require');
  expect(JSON.stringify(read)).not.toContain('hush');
});
