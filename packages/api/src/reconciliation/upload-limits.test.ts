import { largestUpload, uploadLimits } from '@tidegate/domain/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// How many statements an operator may upload: they are stored beside the ledger.

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

async function upload(token: string, content = 'a statement'): Promise<{ status: number; code?: string | undefined }> {
  const response = await fetch(`${api.url}/statements?country=TH&name=x.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: content,
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return { status: response.status, code: errors?.[0]?.extensions.code };
}

/** What the operator has uploaded: so many statements of so many bytes; null: they are still being uploaded. */
async function hasUploaded(token: string, count: number, size: number | null, age = '1 hour'): Promise<void> {
  const { data } = await ask(api.url, '{ me { operatorId } }', { token });
  const { operatorId } = (data as { me: { operatorId: string } }).me;
  await api.domain.database.pool.query(
    `insert into statement_file (merchant_id, name, uploaded_by, state, size, sha256, uploaded_at)
     select 'PLATFORM-TH', 'x', $1, case when $2::bigint is null then 'uploading' else 'uploaded' end, coalesce($2::bigint, 0),
       case when $2::bigint is not null then repeat('0', 64) end,
       clock_timestamp() - $4::interval from generate_series(1, $3)`,
    [operatorId, size, count, age],
  );
}

const refused = { status: 409, code: 'CONFLICT' };

test.each<[string, number, number | null]>([
  ['as many statements as allowed', uploadLimits.files, 1],
  ['as many bytes as allowed', uploadLimits.bytes / largestUpload, largestUpload],
  ['as much that is being uploaded', uploadLimits.bytes / largestUpload, null],
])('an operator who has uploaded %s uploads no more, and others do', async (_, count, size) => {
  const [greedy, other] = [await api.letIn('finance'), await api.letIn('finance')];
  await hasUploaded(greedy, count - 1, size);
  expect(await upload(greedy)).toMatchObject({ status: 201 });
  await hasUploaded(greedy, 1, size);
  expect(await upload(greedy)).toEqual(refused);
  expect(await upload(other)).toMatchObject({ status: 201 });
});

test('what was uploaded earlier than a day ago does not count', async () => {
  const token = await api.letIn('finance');
  await hasUploaded(token, uploadLimits.files, 1, '25 hours');
  expect(await upload(token)).toMatchObject({ status: 201 });
});
