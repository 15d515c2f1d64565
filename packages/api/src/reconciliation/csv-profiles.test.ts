import { aCsv, aProfile, dayAgo } from '@tidegate/domain/testing';
import { openStatementThreads, previewCost } from '@tidegate/statements/threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Finance uploads a file of a new bank, tries a profile on it, and lets a second operator approve the profile.

const day = dayAgo('PK', 3);
const csvDay = day.split('-').reverse().join('.');
const threads = openStatementThreads(previewCost);
let api: ApiFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  api = await openApiFixture();
  api.domain.statementFormats = { ...api.domain.statementFormats, ...threads.formats };
  [ann, bob] = [await api.letIn('finance'), await api.letIn('admin')];
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const profile = `{ name: "bank", encoding: UTF_8, delimiter: SEMICOLON, preambleRows: 1, trailerRows: 0, decimalSign: COMMA,
  dateFormat: "dd.MM.yyyy", dateColumn: "Date", grossColumn: "Amount", bankRefColumn: "Reference", typeColumn: "Type", directionBy: SIGN,
  types: ["transfer = payin", "charge = fee"] }`;

async function read<Data>(query: string, token = ann): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

async function upload(text: string, token = ann): Promise<number> {
  const response = await fetch(`${api.url}/statements?country=PK&name=bank.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: text,
  });
  const { statement } = (await response.json()) as { statement: { fileNo: number } };
  return statement.fileNo;
}

const text = aCsv([
  [csvDay, '12,50', 'R1', 'transfer'],
  [csvDay, '-1,00', 'R2', 'charge'],
  ['soon', '1,00', 'R3', 'transfer'],
]);
const preview = (fileNo: number, as: string): string =>
  `statementPreview(country: PK, fileNo: ${fileNo}, channelId: "fake", ${as}) { __typename ... on Problem { message reason }
    ... on InvalidInput { fields { path reason } }
    ... on StatementPreview { currency lines firstDay lastDay totalIn totalOut opening closing accounts refusal
      unparsed { lineNo reason } rows { lineNo day direction gross fee net bankRef type } } }`;

test('a file is previewed by a profile before it is approved, and proposed to it afterwards', async () => {
  const fileNo = await upload(text);
  expect(await read(`{ proposedFormats(country: PK, fileNo: ${fileNo}) }`)).toEqual({ proposedFormats: [] });
  const shown = await read(`{ ${preview(fileNo, `profile: ${profile}`)} }`);
  expect(shown).toEqual({
    statementPreview: {
      __typename: 'StatementPreview',
      currency: 'PKR',
      lines: 2,
      firstDay: day,
      lastDay: day,
      totalIn: '12.50',
      totalOut: '1.00',
      opening: null,
      closing: null,
      accounts: [],
      refusal: null,
      unparsed: [{ lineNo: 5, reason: 'the date is not like dd.MM.yyyy' }],
      rows: [
        { lineNo: 3, day, direction: 'IN', gross: '12.50', fee: '0.00', net: '12.50', bankRef: 'R1', type: 'payin' },
        { lineNo: 4, day, direction: 'OUT', gross: '1.00', fee: '0.00', net: '1.00', bankRef: 'R2', type: 'fee' },
      ],
    },
  });
  const set = await read<{ setCsvProfile: { approval: { approvalId: string } } }>(
    `mutation { setCsvProfile(input: ${profile}, reason: "a new bank") { ... on SetCsvProfilePayload { profile { name } approval { approvalId } } } }`,
  );
  expect(set).toMatchObject({ setCsvProfile: { profile: null } });
  const { approvalId } = set.setCsvProfile.approval;
  const approved = await read(
    `mutation { approve(approvalId: "${approvalId}") { ... on Approval { state } ... on Problem { message } } }`,
    bob,
  );
  expect(approved).toEqual({ approve: { state: 'EXECUTED' } });
  const stored = await read(
    '{ statementFormats csvProfiles { name version format delimiter types feeColumn createdAt createdBy approvedBy } csvProfileVersions(name: "bank") { version } }',
  );
  expect(stored).toMatchObject({
    statementFormats: expect.arrayContaining(['camt.053', 'csv:bank', 'csv:jazzcash']),
    csvProfiles: [
      {
        name: 'bank',
        version: 1,
        format: 'csv:bank',
        delimiter: 'SEMICOLON',
        types: aProfile.types,
        feeColumn: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ],
    csvProfileVersions: [{ version: 1 }],
  });
  expect(await read(`{ proposedFormats(country: PK, fileNo: ${fileNo}) }`)).toEqual({ proposedFormats: ['csv:bank'] });
});

test('what is wrong with a profile is said for each field', async () => {
  const fileNo = await upload(text);
  const bad = profile.replace('grossColumn: "Amount", ', '').replace('name: "bank"', 'name: "Bank"');
  const { statementPreview } = await read<{ statementPreview: { fields: object[] } }>(
    `{ ${preview(fileNo, `profile: ${bad}`)} }`,
  );
  expect(statementPreview).toMatchObject({ __typename: 'InvalidInput', fields: [{ path: 'name' }] });
  const without = await read(`{ ${preview(fileNo, `profile: ${bad.replace('"Bank"', '"bank"')}`)} }`);
  expect(without).toMatchObject({ statementPreview: { fields: [{ path: 'grossColumn' }] } });
  const both = await read(`{ ${preview(fileNo, `format: "mt940", profile: ${profile}`)} }`);
  expect(both).toMatchObject({ statementPreview: { __typename: 'InvalidInput' } });
});

test('previews are read one after the other, and an operator has at most three', async () => {
  const fileNo = await upload(text);
  const short = `{ it: statementPreview(country: PK, fileNo: ${fileNo}, profile: ${profile}) { __typename ... on Problem { reason } } }`;
  const previewAs = async (token: string) =>
    (await read<{ it: { __typename: string; reason?: string } }>(short, token)).it;
  const third = await api.letIn('finance');
  const all = await Promise.all([...Array(6).fill(ann), third].map(previewAs));
  const shown = all.filter(({ __typename }) => __typename === 'StatementPreview');
  expect(all.at(-1)).toEqual({ __typename: 'StatementPreview' });
  expect(shown.length).toBeLessThan(7);
  expect(shown.length).toBeGreaterThanOrEqual(4);
  const refused = all.filter(({ __typename }) => __typename !== 'StatementPreview');
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['PREVIEW_NOT_POSSIBLE']));
});

test('only those who may import or set profiles preview a file of their countries', async () => {
  const fileNo = await upload(text);
  const viewer = await ask(api.url, `{ ${preview(fileNo, 'format: "mt940"')} }`, { token: await api.letIn('viewer') });
  expect(viewer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const elsewhere = await api.letInRestricted({ countries: ['TH'] });
  expect(
    await read(`{ ${preview(fileNo, 'format: "mt940"')} proposedFormats(country: PK, fileNo: ${fileNo}) }`, elsewhere),
  ).toMatchObject({
    statementPreview: { reason: 'STATEMENT_NOT_FOUND' },
    proposedFormats: null,
  });
});
