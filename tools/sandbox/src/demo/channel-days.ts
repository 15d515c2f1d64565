import { type Country, timeZoneOf } from '@tidegate/domain';
import { waitUntil } from '../wait-until.ts';
import type { Demo } from './demo-orders.ts';
import { requestByTwo } from './two-operators.ts';

/** A day of a channel, in the time zone of its country. */
export interface ChannelDay {
  country: Country;
  channelId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

const dayMs = 86_400_000;

/** The date in a country this number of days ago. */
export function dayAgo(country: Country, days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timeZoneOf[country] }).format(Date.now() - days * dayMs);
}

/** Whether an imported statement has lines for the day, and all of them were compared with the ledger. */
export async function isMatched({ admin }: Pick<Demo, 'admin'>, day: ChannelDay): Promise<boolean> {
  const query = `query ($country: Country!, $channelId: String!, $day: String!) {
    reconciliationDay(country: $country, channelId: $channelId, day: $day) { day { lines isMatching } } }`;
  interface Answer {
    reconciliationDay: { day: { lines: number; isMatching: boolean } } | null;
  }
  const { reconciliationDay } = await admin<Answer>(query, day);
  // `isMatching`: the day still waits for matching, or is being matched.
  return reconciliationDay !== null && reconciliationDay.day.lines > 0 && !reconciliationDay.day.isMatching;
}

interface StatementUpload extends Omit<ChannelDay, 'day'> {
  name: string;
  text: string;
  /** Default: camt.053. */
  format?: string;
}

/** Uploads a bank statement as the admin, and imports it. */
export async function importStatement(
  { sandbox, admin }: Pick<Demo, 'sandbox' | 'admin'>,
  { country, channelId, name, text, format = 'camt.053' }: StatementUpload,
): Promise<void> {
  const url = new URL(`/statements?${new URLSearchParams({ country, name })}`, sandbox.graphqlUrl);
  const headers = { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/octet-stream' };
  const upload = async () => fetch(url, { method: 'POST', headers, body: text });
  // An operator can upload only one file at a time. The demo uploads several, so it retries.
  let response = await upload();
  const isAccepted = async () => {
    if (response.status === 429) response = await upload();
    return response.status !== 429;
  };
  await waitUntil(`the upload of ${name}`, isAccepted, { timeoutMs: 30_000, everyMs: 200 });
  const { statement } = (await response.json()) as { statement?: { fileNo: number } };
  if (!statement) throw new Error(`${name} was not accepted: ${response.status}`);
  await admin.mutate('importStatement', 'ImportStatementInput', {
    input: { country, channelId, fileNo: statement.fileNo, format },
    reason: 'Statement of the bank',
  });
}

/**
 * Closes a day: the admin requests it, the approver approves. Resolves to the reason of a refusal; null if the day is
 * closed.
 */
export function closeDay(demo: Pick<Demo, 'admin' | 'approver'>, day: ChannelDay): Promise<string | null> {
  return requestByTwo(demo, { name: 'closeDay', input: day, reason: 'Nothing is missing' });
}
