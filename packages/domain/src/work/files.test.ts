import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestOperation } from '../approvals/request-operation.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, aPdf, aPng, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aTopUp, placePayin } from '../testing/payins.ts';
import { addNote } from './add-note.ts';
import { attachFile, fileLimits, largestFile, limitReached, maxFiles } from './attach-file.ts';
import { purgeOrphanedFiles } from './purge-files.ts';

// What files may be attached to, how many, and how long they stay.

let fixture: TestDomain;
let merchantId: string;
let ann: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aMerchant(fixture.domain, 'TH'));
  ann = await anOperator(fixture.domain, ['finance', 'operator']);
});
afterAll(() => fixture.close());

let count = 0;
const attach = (bookingNo: string, content = aPng(`content ${count++}`), by = ann) =>
  attachFile(fixture.domain, by, { type: 'booking', merchantId, bookingNo }, { name: 'receipt.png', content });
const query = async (sql: string, values: unknown[] = []) =>
  (await fixture.domain.database.pool.query(sql, values)).rows;

test('no file is attached to a booking number that is not in use, and nothing is stored', async () => {
  for (let n = 0; n < 30; n += 1)
    expect(await attach(`NONE-${n}`)).toEqual({ ok: false, rejection: 'booking_not_found' });
  expect(await query('select from attached_file')).toEqual([]);
  expect(await query('select from file_content')).toEqual([]);
});

test('a file is attached to a booking that is in the wallet, or waits for a second operator', async () => {
  await fixture.domain.commit(aTopUp(merchantId, 'DONE-1', '5.00'));
  expect(await attach('DONE-1')).toMatchObject({ ok: true });
  const input = { merchantId, bookingNo: 'WAITS-1', amount: '20000.00', remark: 'r' };
  const asked = await requestOperation(fixture.domain, ann, 'topUpWallet', input, 'a test');
  expect(asked).toMatchObject({ ok: true, state: 'pending' });
  expect(await attach('WAITS-1')).toMatchObject({ ok: true });
});

test('files and notes about an order are refused outside of the operator’s countries, and of other merchants', async () => {
  const { orderNo } = await placePayin(fixture.domain, merchantId, 'TH');
  const elsewhere = await anOperator(fixture.domain, ['operator'], { countries: ['IN'] });
  const order = { type: 'order', merchantId, orderNo } as const;
  const file = { name: 'a.pdf', content: aPdf() };
  expect(await attachFile(fixture.domain, elsewhere, order, file)).toMatchObject({ rejection: 'order_not_found' });
  expect(await addNote(fixture.domain, elsewhere, order, 'text')).toMatchObject({ rejection: 'order_not_found' });
  const other = { ...order, merchantId: (await aMerchant(fixture.domain, 'TH')).merchantId };
  expect(await attachFile(fixture.domain, ann, other, file)).toMatchObject({ rejection: 'order_not_found' });
  expect(await attachFile(fixture.domain, ann, order, file)).toMatchObject({ ok: true });
});

test('a subject has a limit of files', async () => {
  await fixture.domain.commit(aTopUp(merchantId, 'FULL-1', '5.00'));
  for (let n = 0; n < maxFiles; n += 1) expect(await attach('FULL-1')).toMatchObject({ ok: true });
  expect(await attach('FULL-1')).toMatchObject({ ok: false, rejection: 'too_many_files' });
});

test('a file that is evidence cannot be deleted, by any role', async () => {
  await expect(query("delete from attached_file where subject = 'booking FULL-1'")).rejects.toThrow(/DELETE refused/);
});

const unused = { files: 0, bytes: 0, isKnown: false, filesToday: 0, bytesToday: 0, bytesOfAll: 0 };
test.each([
  [{ files: maxFiles }, /^20 at most/],
  [{ bytes: fileLimits.bytesOfSubject - largestFile + 1 }, /bytes at most/],
  [{ filesToday: fileLimits.filesOfOperatorPerDay }, /an operator uploads 200 files a day/],
  [{ bytesToday: fileLimits.bytesOfOperatorPerDay - largestFile + 1 }, /bytes a day/],
  [{ bytesOfAll: fileLimits.bytesOfAll - largestFile + 1 }, /storage of files is full/],
])('with %j used, one more file is refused, and the same file again is not', (use, expected) => {
  expect(limitReached({ ...unused, ...use }, largestFile)).toMatch(expected);
  expect(limitReached({ ...unused, ...use, isKnown: true }, largestFile)).toBeNull();
  expect(limitReached(unused, largestFile)).toBeNull();
});

test('the use of an operator today is counted over all subjects, and yesterday does not count', async () => {
  const busy = await anOperator(fixture.domain, ['finance']);
  await query(`insert into file_content (merchant_id, sha256, content) values ($1, encode(sha256('x'), 'hex'), 'x')`, [
    merchantId,
  ]);
  const fill = `insert into attached_file (merchant_id, subject, file_no, sha256, name, media_type, size, uploaded_by, uploaded_at)
    select $1, 'booking FILL-' || n, 1, encode(sha256('x'), 'hex'), 'f', 'image/png', 1, $2, clock_timestamp() - $3::interval from generate_series($4::integer, $5::integer) n`;
  await fixture.domain.commit(aTopUp(merchantId, 'BUSY-1', '5.00'));
  await query(fill, [merchantId, busy.operatorId, '25 hours', 1, 300]);
  expect(await attach('BUSY-1', undefined, busy)).toMatchObject({ ok: true });
  await query(fill, [merchantId, busy.operatorId, '0 hours', 301, 500]);
  expect(await attach('BUSY-1', undefined, busy)).toMatchObject({
    rejection: 'too_many_files',
    detail: 'an operator uploads 200 files a day at most',
  });
  await query(
    "begin; set local session_replication_role = 'replica'; delete from attached_file where subject like 'booking FILL-%'; commit",
  );
});

test('files of a booking that never came to be go after a day, with their contents, and all others stay', async () => {
  const input = { merchantId, bookingNo: 'NEVER-1', amount: '20000.00', remark: 'r' };
  await requestOperation(fixture.domain, ann, 'topUpWallet', input, 'a test');
  expect(await attach('NEVER-1')).toMatchObject({ ok: true });
  const before = await query('select subject, file_no from attached_file order by 1, 2');
  await query(
    "begin; set local session_replication_role = 'replica'; update attached_file set uploaded_at = uploaded_at - interval '2 days'; update file_content set stored_at = stored_at - interval '2 days'; commit",
  );
  const purgeAll = async () => {
    for (let isMore = true; isMore; ) isMore = await purgeOrphanedFiles(fixture.domain);
  };
  await purgeAll();
  expect(await query('select subject, file_no from attached_file order by 1, 2')).toEqual(before);
  await query(
    "update approval set state = 'rejected', decided_by = 'bob', decided_at = clock_timestamp() where subject = 'NEVER-1'",
  );
  await purgeAll();
  expect(await query('select subject, file_no from attached_file order by 1, 2')).toEqual(
    before.filter(({ subject }) => subject !== 'booking NEVER-1'),
  );
  const orphans =
    'select from file_content c where not exists (select from attached_file f where (f.merchant_id, f.sha256) = (c.merchant_id, c.sha256))';
  expect(await query(orphans)).toEqual([]);
});
