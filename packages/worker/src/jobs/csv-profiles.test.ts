import { Readable } from 'node:stream';
import { findCsvProfile, listCsvProfileVersions, listFormats, type ProfileFields } from '@tidegate/domain/lists';
import {
  approve,
  findContent,
  type OperatorContext,
  openContent,
  previewStatement,
  proposeFormatsOf,
  receiveStatement,
  requestOperation,
} from '@tidegate/domain/operators';
import { aCsv, aProfile, dayAgo, openTestDomain, reconcileAll, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { openStatementThreads } from '@tidegate/statements/threads';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { setReconciliation } from '../../../domain/src/reconciliation/days/set-reconciliation.ts';
import { fetchStatements } from '../../../domain/src/reconciliation/fetching/fetch-statements.ts';
import { anOperator } from '../../../domain/src/testing/operators.ts';

// Profiles of CSVs as two operators set them, with the threads that read by them.

const country = 'PK';
const day = dayAgo(country, 2);
const csvDay = day.split('-').reverse().join('.');
const text = aCsv([
  [csvDay, '1.234,50', 'R1', 'transfer'],
  [csvDay, '-10,00', 'R2', 'charge'],
]);
const threads = openStatementThreads();
afterAll(threads.close);
let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { statementFormats: threads.formats });
  [ann, bob] = [await anOperator(fixture.domain, ['finance']), await anOperator(fixture.domain, ['admin'])];
  return () => fixture.close();
});

const rows = async (sql: string) => (await fixture.domain.database.pool.query({ text: sql, rowMode: 'array' })).rows;

async function ask(fields: ProfileFields & { basedOn?: number }) {
  return requestOperation(fixture.domain, ann, 'setCsvProfile', fields, 'a new bank');
}
async function agree(fields: ProfileFields & { basedOn?: number }) {
  const asked = await ask(fields);
  if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
  return approve(fixture.domain, bob, asked.approval.approvalId);
}
async function upload(content = text): Promise<number> {
  const file = { tenant: `PLATFORM-${country}`, name: 'day.csv', uploadedBy: 'ann' };
  const received = await receiveStatement(fixture.domain, file, Readable.from([Buffer.from(content)]));
  if (!received.ok) throw new Error(received.problem);
  return received.file.fileNo;
}
async function importAs(fileNo: number, format: string) {
  return requestOperation(
    fixture.domain,
    ann,
    'importStatement',
    { country, channelId: 'fake', fileNo, format },
    'daily',
  );
}
const preview = async (fileNo: number, as: { format: string } | { profile: ProfileFields }) => {
  const content = await findContent(fixture.domain, country, fileNo);
  if (!content) throw new Error('no content');
  return previewStatement(fixture.domain, { country, channelId: 'fake', as }, openContent(fixture.domain, content));
};

test('two operators set a profile, which is a format from then on; every version is kept, with its record', async () => {
  const asked = await ask(aProfile);
  expect(asked).toMatchObject({ ok: true, state: 'pending' });
  expect(await findCsvProfile(fixture.domain, 'bank')).toBeNull();
  if (asked.ok && asked.state === 'pending') {
    expect(await approve(fixture.domain, ann, asked.approval.approvalId)).toMatchObject({ ok: false });
    expect(await approve(fixture.domain, bob, asked.approval.approvalId)).toMatchObject({ ok: true });
  }
  expect((await listFormats(fixture.domain)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['camt.053', 'csv:bank', 'csv:jazzcash']),
  );
  await agree({ ...aProfile, trailerRows: 2 });
  const versions = await listCsvProfileVersions(fixture.domain, 'bank');
  expect(
    versions.map(({ profile, createdBy, approvedBy }) => [profile.version, profile.trailerRows, createdBy, approvedBy]),
  ).toEqual([
    [2, 2, ann.operatorId, bob.operatorId],
    [1, 0, ann.operatorId, bob.operatorId],
  ]);
  const [record] = await rows(
    `select detail::json->'before'->>'trailerRows', detail::json->'after'->>'trailerRows', subject from audit_record where action = 'setCsvProfile' order by audit_no desc limit 1`,
  );
  expect(record).toEqual(['0', '2', 'csv:bank']);
  for (const change of [
    'update csv_profile set version = 3 where version = 2',
    'delete from csv_profile',
    'truncate csv_profile',
  ])
    await expect(rows(change)).rejects.toThrow('append-only');
});

test.each<[string, Partial<ProfileFields> & { basedOn?: number }, object]>([
  ['a built-in name', { name: 'jazzcash' }, { path: 'name', reason: 'is the name of a built-in profile' }],
  ['no amount', { grossColumn: undefined }, { path: 'grossColumn' }],
  ['a date without a year', { dateFormat: 'dd.MM' }, { path: 'dateFormat' }],
  ['a type without its direction', { directionBy: 'type' }, { path: 'types' }],
  ['a type that does not exist', { types: ['x = gift'] }, { path: 'types' }],
  ['a line without a type', { types: ['x'] }, { path: 'types.0' }],
  [
    'a word for money and for none',
    { statusColumn: 'S', moneyWords: ['a'], otherWords: ['A'] },
    { path: 'moneyWords' },
  ],
])('a profile is refused at once: %s', async (_, change, field) => {
  const asked = await ask({ ...aProfile, ...change } as ProfileFields);
  expect(asked).toMatchObject({ ok: false, rejection: 'invalid_input', fields: [field] });
});

test('one version at a time waits for its approval, and is based on the newest one', async () => {
  await agree(aProfile);
  const asked = await ask({ ...aProfile, trailerRows: 1 });
  expect(await ask({ ...aProfile, trailerRows: 2 })).toMatchObject({ rejection: 'approval_waits' });
  if (!asked.ok || asked.state !== 'pending') throw new Error('not pending');
  expect(asked.approval.input).toMatchObject({ basedOn: 1 });
  expect(await approve(fixture.domain, bob, asked.approval.approvalId)).toMatchObject({ ok: true });
  expect(await ask({ ...aProfile, basedOn: 1 })).toMatchObject({ rejection: 'version_outdated' });
});

test('a received file is read by the version of that time, twice, whatever is set meanwhile', async () => {
  await agree(aProfile);
  const fileNo = await upload();
  expect(await importAs(fileNo, 'csv:bank')).toMatchObject({ ok: true });
  // Another reading: the amount would be in the column of the reference.
  await agree({ ...aProfile, grossColumn: 'Reference', bankRefColumn: 'Amount' });
  await reconcileAll(fixture.domain);
  expect(
    await rows(`select state, lines, format_version % 1000 from statement_file where file_no = ${fileNo}`),
  ).toEqual([['imported', 2, 1]]);
  expect(
    await rows('select direction, gross, bank_ref, type, format_version % 1000 from statement_line order by line_no'),
  ).toEqual([
    ['in', '1234.50', 'R1', 'payin', 1],
    ['out', '10.00', 'R2', 'fee', 1],
  ]);
  const next = await upload(`${text}${csvDay};1,00;R3;transfer\n`);
  expect(await importAs(next, 'csv:bank')).toMatchObject({ ok: true });
  await reconcileAll(fixture.domain);
  const [file] = await rows(`select state, format_version % 1000 from statement_file where file_no = ${next}`);
  expect(file?.[1]).toBe(2);
});

test('a format of an unknown profile is refused, and csv alone is no format', async () => {
  const fileNo = await upload();
  for (const format of ['csv', 'csv:nobody', 'csv:'])
    expect(await importAs(fileNo, format)).toMatchObject({ rejection: 'format_not_found' });
});

test('a channel that offers a profile is fetched by it', async () => {
  await agree(aProfile);
  fixture.channel.statementFormats = ['csv:bank'];
  fixture.channel.fetchStatement = async () => ({ outcome: 'ready', bytes: Readable.from([Buffer.from(text)]) });
  const by = { actor: 'ann', approver: 'bob', reason: 'daily' };
  const set = { country, channelId: 'fake', beginsOn: day, fetches: true } as const;
  expect(await setReconciliation(fixture.domain, set, by)).toMatchObject({ ok: true });
  await fetchStatements(fixture.domain, new AbortController().signal);
  await reconcileAll(fixture.domain);
  expect(await rows(`select state, format from statement_file where fetched_day = '${day}'`)).toEqual([
    ['imported', 'csv:bank'],
  ]);
});

test('a file is previewed by a profile that is not stored, as its import would read it', async () => {
  const fileNo = await upload(`${text}${csvDay};1,005;R3;transfer\n`);
  const shown = await preview(fileNo, { profile: aProfile });
  expect(shown).toMatchObject({
    ok: true,
    value: {
      lines: 2,
      rows: [
        { lineNo: 3, day, direction: 'in', gross: '1234.50', bankRef: 'R1', type: 'payin' },
        { lineNo: 4, day, direction: 'out', gross: '10.00', bankRef: 'R2', type: 'fee' },
      ],
      unparsed: [{ lineNo: 5, reason: 'gross has more than two decimals' }],
      totalIn: '1234.50',
      totalOut: '10.00',
      firstDay: day,
      refusal: null,
    },
  });
  expect(await rows('select count(*)::integer from statement_line')).toEqual([[0]]);
  const wrong = await preview(fileNo, { profile: { ...aProfile, dateColumn: 'Day' } });
  expect(wrong).toMatchObject({ value: { refusal: expect.stringContaining('column names of the profile bank') } });
  expect(await preview(fileNo, { profile: { ...aProfile, dateFormat: 'dd' } })).toMatchObject({
    rejection: 'invalid_input',
  });
  expect(await preview(fileNo, { format: 'csv:bank' })).toMatchObject({ rejection: 'format_not_found' });
});

test('a preview shows 200 rows, counts all, and says why the file would be refused', async () => {
  const by = { actor: 'ann', approver: 'bob', reason: 'daily' };
  const beginsOn = dayAgo(country, 1);
  await setReconciliation(fixture.domain, { country, channelId: 'fake', beginsOn }, by);
  const many = Array.from({ length: 250 }, (_, n) => [csvDay, '1,00', `R${n}`, 'transfer'] as const);
  const fileNo = await upload(aCsv(many));
  const shown = await preview(fileNo, { profile: aProfile });
  expect(shown).toMatchObject({ value: { lines: 250, totalIn: '250.00', refusal: expect.stringContaining(beginsOn) } });
  expect(shown.ok && shown.value.rows.length).toBe(200);
  const bad = await upload(aCsv(Array.from({ length: 1_500 }, () => ['x', '1,00', 'R', 'transfer'] as const)));
  const refused = await preview(bad, { profile: aProfile });
  expect(refused).toMatchObject({ value: { refusal: expect.stringContaining('more than 1000 rows') } });
  expect(refused.ok && refused.value.unparsed.length).toBe(1_000);
});

test('an uploaded file is proposed to the stored profile whose columns it has', async () => {
  await agree(aProfile);
  await agree({ ...aProfile, name: 'other-bank', dateColumn: 'Day' });
  const content = await findContent(fixture.domain, country, await upload());
  expect(content && (await proposeFormatsOf(fixture.domain, content))).toEqual(['csv:bank']);
});
