import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { isConnectionLoss, isTimeout, isUnavailable } from './connection-loss.ts';
import { openDatabase } from './database.ts';

const ended = (code: string, why: string): Error =>
  Object.assign(new Error(`terminating connection due to ${why}`), { code });
const coded = (code: string): Error => Object.assign(new Error('something'), { code });

test.each([
  ['the server shuts down', coded('57P01'), true],
  ['the server crashed', coded('57P02'), true],
  ['the server is starting', coded('57P03'), true],
  ['the server has no connection left', coded('53300'), true],
  ['the server has become a standby', coded('25006'), true],
  ['a connection broke', coded('08006'), true],
  ['a connection was refused', coded('ECONNREFUSED'), true],
  ['a connection was reset', coded('ECONNRESET'), true],
  ['no answer in time', new Error('Query read timeout'), true],
  ['a connection ended', new Error('Connection terminated unexpectedly'), true],
  ['a connection that broke before', new Error('Client has encountered a connection error and is not queryable'), true],
  ['a transaction lasted too long', coded('25P04'), true],
  ['a certificate for another name', coded('ERR_TLS_CERT_ALTNAME_INVALID'), true],
  ['an expired certificate', coded('CERT_HAS_EXPIRED'), true],
  ['a certificate of an unknown authority', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), true],
  ['a certificate that is not for servers', coded('INVALID_PURPOSE'), true],
  ['a server that fails before TLS', new Error('There was an error establishing an SSL connection'), true],
  ['a server without TLS', new Error('The server does not support SSL connections'), true],
  ['another session holds the row', coded('55P03'), false],
  ['a wrong row', coded('23505'), false],
  ['a bug', new TypeError('undefined is not a function'), false],
  ['nothing', undefined, false],
])('%s', (_name, error, isLoss) => {
  expect(isConnectionLoss(error)).toBe(isLoss);
});

test.each([
  ['no answer in time', new Error('Query read timeout'), true],
  ['no connection in time', new Error('Connection terminated due to connection timeout'), true],
  ['a socket without answer', Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' }), true],
  ['a transaction lasted too long', ended('25P04', 'transaction timeout'), true],
  ['the process was silent within a transaction', ended('25P03', 'idle-in-transaction timeout'), false],
  ['a connection ended', new Error('Connection terminated unexpectedly'), false],
])('the error means that the database did not answer in time, or not: %s', (_name, error, isSlow) => {
  expect(isTimeout(error)).toBe(isSlow);
});

test('a row that another session holds is not a lost connection, and can be tried again later', () => {
  expect([isUnavailable(coded('55P03')), isUnavailable(coded('57P01')), isUnavailable(coded('23505'))]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a transaction ended by the server for silence is a lost connection, and is tried again', async () => {
  const database = await openDatabase((await createTestDatabase()).url);
  const client = await database.pool.connect();
  client.on('error', () => undefined);
  // The server may end it before this process sees the answer.
  const failed = new Promise((resolve) => client.once('error', resolve));
  await client.query('begin; set local idle_in_transaction_session_timeout = 100');
  const ended = await failed;
  expect(ended).toMatchObject({ code: '25P03' });
  expect(isConnectionLoss(ended)).toBe(true);
  const next = await client.query('select 1').catch((error: unknown) => error);
  expect(isConnectionLoss(next)).toBe(true);
  client.release(true);
  await database.close();
});
