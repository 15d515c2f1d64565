import { setChannel } from '../channels/set-channel.ts';
import { resolveBreak } from '../reconciliation/breaks/resolve-break.ts';
import type { TestDomain } from './open-test-domain.ts';
import { by } from './payouts.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll } from './statements.ts';

// Statements of an account in Pakistan with balances, and what does not continue between them.

/** A statement of the last three days, 1 to 3. */
export interface Shown {
  first: number;
  last: number;
  opening: number;
  lines: readonly [day: number, ref: string, amount: number][];
}

const dayOf = (n: number) => dayAgo('PK', 3 - n);

/** Open breaks between balances after statements of the last three days (1 to 3), as `day amount`. */
export async function gapsAfter(
  { domain }: TestDomain,
  channelId: string,
  statements: readonly Shown[],
): Promise<string[]> {
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  for (const { first, last, opening, lines } of statements) {
    const shown = lines.map(([n, ref, amount]) =>
      aLine({ currency: 'PKR', bookedOn: dayOf(n), gross: `${amount}.00`, channelRef: `${channelId}-${ref}` }),
    );
    const closing = lines.reduce((sum, [, , amount]) => sum + amount, opening);
    const balances = { opening: `${opening}.00`, closing: `${closing}.00` };
    await anImport(
      domain,
      'PK',
      [...shown, { ...noSummary, from: dayOf(first), to: dayOf(last), ...balances }],
      channelId,
    );
    await reconcileAll(domain);
  }
  const { rows } = await domain.database.pool.query<{ day: string; amount: string }>(
    `select day::text as day, amount::text as amount from reconciliation_break
     where channel_id = $1 and kind = 'balance' and state = 'open' order by day`,
    [channelId],
  );
  return rows.map(({ day: on, amount }) => `${[1, 2, 3].find((n) => dayOf(n) === on)} ${amount}`);
}

/** Ends all open gaps of the channel. */
export async function endGaps(
  { domain }: TestDomain,
  channelId: string,
  outcome: 'linked' | 'posted' | 'written_off',
): Promise<void> {
  const { rows } = await domain.database.pool.query<{ breakNo: number }>(
    "select break_no::integer as \"breakNo\" from reconciliation_break where channel_id = $1 and state = 'open' and kind = 'balance'",
    [channelId],
  );
  for (const { breakNo } of rows) {
    const ending = { merchantId: 'PLATFORM-PK', breakNo, outcome, otherBreakNo: null };
    const ended = await resolveBreak(domain, ending, by('ann', 'bob'));
    if (!ended.ok) throw new Error(`break ${breakNo}: ${ended.rejection}`);
  }
}

/** What people booked on the channel for gaps. */
export async function bookedFor({ domain }: TestDomain, channelId: string): Promise<number> {
  const { rows } = await domain.database.pool.query<{ amount: string | null }>(
    `select sum(case when debit = $1 then amount else -amount end)::text as amount from transfer where $1 in (debit, credit)`,
    [`channel:${channelId}`],
  );
  return Number(rows[0]?.amount ?? 0);
}
