import type { Operators } from './operator.ts';

/** Every operation of the reconciliation. What the worker would find is written by `asOwner`, which runs SQL. */
export async function doReconciliation(
  { act }: Pick<Operators, 'act'>,
  { apiUrl, token, asOwner }: { apiUrl: string; token: string; asOwner(sql: string): Promise<unknown> },
): Promise<void> {
  const day = { country: 'CN', channelId: 'sandbox', day: '2026-01-02' };
  await asOwner(`insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
    values ('PLATFORM-CN', 1, 'sandbox', '2026-01-02', 'fees 1/2026-01-02', 'fee', -1)`);
  await asOwner(
    `insert into reconciliation_day (merchant_id, channel_id, day, is_covered) values ('PLATFORM-CN', 'sandbox', '2026-01-02', true)`,
  );
  await act('resolveBreak', { country: 'CN', breakNo: 1, outcome: 'POSTED' });
  await act('closeDay', day);
  await act('reopenDay', day);
  await act('setReconciliation', { country: 'CN', channelId: 'sandbox', beginsOn: '2026-01-01' });
  const credentials = { keyId: 'rzp_test_1', keySecret: 'a', webhookSecret: 'b' };
  const channel = { channelId: 'rzp', adapter: 'razorpay', baseUrl: 'https://razorpay.invalid' };
  await act('setChannel', { ...channel, credentials });
  await act('setReconciliation', { country: 'IN', channelId: 'rzp', beginsOn: '2026-01-01', fetches: true });
  await act('fetchStatement', { country: 'IN', channelId: 'rzp', day: '2026-01-02' });
  await act('setCsvProfile', {
    name: 'bank',
    encoding: 'UTF_8',
    delimiter: 'COMMA',
    preambleRows: 0,
    trailerRows: 0,
    decimalSign: 'POINT',
    dateFormat: 'yyyy-MM-dd',
    dateColumn: 'Date',
    grossColumn: 'Amount',
    bankRefColumn: 'Reference',
    directionBy: 'SIGN',
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const upload = await fetch(`${apiUrl}/statements?country=CN&name=x`, {
    method: 'POST',
    headers,
    body: 'no statement',
  });
  const { statement } = (await upload.json()) as { statement: { fileNo: number } };
  await act('importStatement', { country: 'CN', channelId: 'sandbox', fileNo: statement.fileNo, format: 'mt940' });
  const sha256 = 'a'.repeat(64);
  const uploaded = statement.fileNo + 1;
  await asOwner(`insert into statement_file (merchant_id, file_no, state, channel_id, format, format_version, name, sha256, uploaded_by)
    overriding system value values ('PLATFORM-CN', ${uploaded}, 'imported', 'sandbox', 'mt940', 1, 'x', '${sha256}', 'another')`);
  await act('confirmStatement', { country: 'CN', fileNo: uploaded, sha256 });
}
