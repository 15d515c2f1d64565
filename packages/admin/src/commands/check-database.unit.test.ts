import type { ServerState } from '@tidegate/domain/admin';
import { expect, test } from 'vitest';
import { checkDatabaseCommand } from './check-database.ts';

const sound: ServerState = {
  version: '17.1',
  cluster: '7',
  timeline: 4,
  acceptsWrites: true,
  isSynchronous: true,
  standbys: 'ANY 1 (a, b)',
  isDurable: true,
  hasChecksums: true,
  writersBesides: [],
  tls: null,
};

/** The checks that fail, and whether the command ends with exit code 1. */
async function check(state: Partial<ServerState>, values: { seenTimeline?: number } = {}) {
  const query = async () => ({ rows: [{ ...sound, ...state }] });
  const context = { domain: { database: { pool: { query } } } };
  const answer = await checkDatabaseCommand.run(context as never, values as never);
  if (!answer.ok) throw new Error(answer.refused);
  const rows = answer.result as readonly { check: string; ok: boolean }[];
  return {
    failed: rows.filter(({ ok }) => !ok).map((row) => row.check),
    isViolated: answer.ended === 'violated',
    message: answer.message,
  };
}

test('a primary whose commits wait for another server passes the check', async () => {
  expect(await check({})).toMatchObject({ failed: [], isViolated: false });
  expect(await check({}, { seenTimeline: 4 })).toMatchObject({ failed: [], isViolated: false });
});

test.each<[string, Partial<ServerState>, { seenTimeline?: number }, string]>([
  ['a standby', { acceptsWrites: false }, {}, 'accepts writes'],
  ['no other server', { isSynchronous: false, standbys: '' }, {}, 'commits wait for another server'],
  ['an earlier timeline', {}, { seenTimeline: 5 }, 'timeline did not go back'],
  ['no fsync', { isDurable: false }, {}, 'commits are on the disk'],
  ['no checksums', { hasChecksums: false }, {}, 'damaged pages are noticed'],
])('the check fails: %s', async (_, state, values, failed) => {
  expect(await check(state, values)).toMatchObject({ failed: [failed], isViolated: true });
});

test('the message says whether the connection is encrypted', async () => {
  expect((await check({})).message).toContain('connection not encrypted');
  expect((await check({ tls: 'TLSv1.3', isDurable: false })).message).toContain('connection encrypted by TLSv1.3');
});
