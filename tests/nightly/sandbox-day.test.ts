import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Domain } from '../../packages/domain/src/index.ts';
import { audit } from '../../packages/domain/src/ledger/audit/audit.ts';
import { resolveBreak } from '../../packages/domain/src/reconciliation/breaks/resolve-break.ts';
import { closeDay } from '../../packages/domain/src/reconciliation/days/close-day.ts';
import { importStatement } from '../../packages/domain/src/reconciliation/files/import-statement.ts';
import { receiveStatement } from '../../packages/domain/src/reconciliation/files/receive-statement.ts';
import { approveSettlement } from '../../packages/domain/src/settlement/change-settlement.ts';
import { by } from '../../packages/domain/src/testing/payouts.ts';
import { aCycle, runSettlements } from '../../packages/domain/src/testing/settlements.ts';
import { reconcileAll } from '../../packages/domain/src/testing/statements.ts';
import { createTestDatabase } from '../../packages/sandbox/src/testing.ts';
import { day, openDay, runDay, type SeededChannel, seedDay } from './sandbox-day/seed-day.ts';
import { type DayStatement, statementOf } from './sandbox-day/statement-of-day.ts';

// A day of 10,000 orders over a channel of each country, with 40 known faults in its statements, one of which comes late. Two operators work it off and
// close it, and merchants are settled from it. At the end the ledger is the statements, to the minor unit.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 280_000 });
const orders = 10_000;
const agreed = by('ann', 'bob');

let domain: Domain;
let seeded: SeededChannel[];
let statements: Map<SeededChannel, DayStatement>;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  seeded = await seedDay(url, orders);
  statements = new Map(seeded.map((one) => [one, statementOf(one)]));
  domain = await openDay(url);
});
afterAll(() => domain.close());

const tenantOf = ({ country }: SeededChannel): string => `PLATFORM-${country}`;

async function rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  return (await domain.database.pool.query<Row>(sql, values)).rows;
}

async function imports(channel: SeededChannel): Promise<void> {
  const { country, channelId } = channel;
  const { name, format, content } = statements.get(channel) as DayStatement;
  const upload = { tenant: tenantOf(channel), name, uploadedBy: 'ann' };
  const received = await receiveStatement(domain, upload, Readable.from([Buffer.from(content)]));
  if (!received.ok) throw new Error(received.problem);
  const wanted = { country, channelId, fileNo: received.file.fileNo, format };
  expect(await importStatement(domain, wanted, by('ann'))).toMatchObject({ ok: true });
  await reconcileAll(domain);
}

interface OpenBreak {
  no: number;
  kind: string;
  fault: string;
}

const openBreaks = ({ channelId }: SeededChannel) =>
  rows<OpenBreak>(
    `select break_no::integer as no, kind, kind || ' ' || amount as fault from reconciliation_break
     where channel_id = $1 and state in ('open', 'posting') order by break_no`,
    [channelId],
  );
const found = async (channel: SeededChannel) => (await openBreaks(channel)).map(({ fault }) => fault).sort();
const faultsOf = (channel: SeededChannel) => [...(statements.get(channel)?.breaks ?? [])].sort();

const closes = ({ country, channelId }: SeededChannel) => closeDay(domain, { country, channelId, day }, agreed);

test('the breaks are exactly the injected faults, and no match is wrong', async () => {
  const [late, ...others] = seeded;
  if (!late) throw new Error('no channel');
  for (const channel of others) await imports(channel);
  for (const channel of others) expect(await found(channel)).toEqual(faultsOf(channel));
  expect(await closes(late)).toMatchObject({ ok: false });
  await imports(late);
  expect(await found(late)).toEqual(faultsOf(late));
  expect((await Promise.all(seeded.map(found))).flat()).toHaveLength(40);
  const wrong = await rows(
    `select l.channel_id, l.line_no from matched_line m join statement_line l using (merchant_id, file_no, line_no, part)
     join matched_expectation x on x.tenant = m.merchant_id and x.match_no = m.match_no
     join statement_expectation e on e.merchant_id = x.merchant_id and e.transfer_no = x.transfer_no
     where l.channel_id = any($1) and (l.gross <> e.amount or l.direction <> e.direction
       or (l.channel_ref is distinct from e.channel_ref and l.order_no is distinct from e.order_no))`,
    [seeded.map(({ channelId }) => channelId)],
  );
  expect(wrong).toEqual([]);
});

test('two operators resolve all breaks and close the days', async () => {
  for (const channel of seeded) {
    expect(await closes(channel)).toMatchObject({ ok: false });
    for (const { no, kind } of await openBreaks(channel)) {
      const outcome = kind === 'unparsed' ? 'written_off' : 'posted';
      const end = { merchantId: tenantOf(channel), breakNo: no, outcome, otherBreakNo: null } as const;
      expect(await resolveBreak(domain, end, by('ann'))).toMatchObject({ ok: false });
      expect(await resolveBreak(domain, end, agreed)).toMatchObject({ ok: true });
    }
    await reconcileAll(domain);
    await reconcileAll(domain);
    expect(await found(channel)).toEqual([]);
  }
  for (const channel of seeded) expect(await closes(channel)).toMatchObject({ ok: true });
});

test('the ledger equals the statements, to the minor unit', async () => {
  const held = await rows<{ minor: string }>(
    `select (select sum(case t.debit when 'channel:' || c then t.amount else -t.amount end) * 100
       from transfer t where 'channel:' || c in (t.debit, t.credit))::bigint::text as minor
     from unnest($1::text[]) with ordinality as k(c, place) order by place`,
    [seeded.map(({ channelId }) => channelId)],
  );
  expect(held.map(({ minor }) => BigInt(minor))).toEqual(seeded.map((one) => statements.get(one)?.net));
});

test('merchants are settled from the closed day, and the audit finds nothing', async () => {
  for (const { merchantId, country } of seeded) {
    await aCycle(domain, merchantId);
    await runSettlements(domain, country, runDay);
    const [draft] = await rows<{ no: string; amount: string; rest: string }>(
      `select s.settlement_no as no, s.amount::text, (w.available - s.closing - s.pending)::text as rest
       from settlement s join wallet w using (merchant_id) where s.merchant_id = $1`,
      [merchantId],
    );
    expect(draft).toMatchObject({ rest: '0.00', amount: expect.not.stringMatching(/^0\.00$/) });
    const settlementNo = draft?.no ?? '';
    expect(await approveSettlement(domain, { merchantId, settlementNo }, {}, agreed)).toMatchObject({ ok: true });
  }
  expect((await audit(domain)).violations).toEqual([]);
});
