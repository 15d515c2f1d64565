import { createTestDatabase } from '@tidegate/sandbox/testing';
import { beforeEach, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../testing/statements.ts';
import { reconcile } from './reconcile.ts';

const country = 'PK';
const bookedOn = dayAgo(country, 2);
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => aLine({ currency: 'PKR', bookedOn, channelRef: `L-${n}` }));

let fixture: TestDomain;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  return () => fixture.close();
});

/** Makes each insert into a table take longer, as on a busy server, and notes when it began and ended. */
const slow = (table: string) =>
  fixture.domain.database.pool.query(`create table noted_insert (began float8, ended float8);
    create function begin_slowly() returns trigger language plpgsql as $$ begin
      insert into noted_insert (began) values (extract(epoch from clock_timestamp()) * 1000); perform pg_sleep(0.15); return null; end $$;
    create function end_slowly() returns trigger language plpgsql as $$ begin
      update noted_insert set ended = extract(epoch from clock_timestamp()) * 1000 where ended is null; return null; end $$;
    create trigger slow_begin before insert on ${table} for each statement execute function begin_slowly();
    create trigger slow_end after insert on ${table} for each statement execute function end_slowly()`);

test('after a batch that took long, the import rests three times as long before it stores the next one', async () => {
  const { domain } = fixture;
  await slow('statement_line');
  const fileNo = await anImport(domain, country, lines(4_000));
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query<{ began: number; ended: number }>(
    'select began, ended from noted_insert order by began',
  );
  const [first, second] = rows;
  expect(rows).toHaveLength(2);
  expect(Number(second?.began) - Number(first?.ended)).toBeGreaterThanOrEqual(450);
  const stored = await domain.database.pool.query('select state, lines from statement_file where file_no = $1', [
    fileNo,
  ]);
  expect(stored.rows).toEqual([{ state: 'imported', lines: 4_000 }]);
});

test('a step of the matching that took long is followed by a rest', async () => {
  const { domain } = fixture;
  await slow('matched_line');
  await anImport(domain, country, lines(1));
  const worked: number[] = [];
  const restAfter = (ms: number): number => {
    worked.push(ms);
    return ms < 150 ? 0 : 1;
  };
  while ((await reconcile(domain, () => false, restAfter)) === 'found');
  // The file has a single batch, so all of these are between steps of the matching.
  expect(worked.filter((ms) => ms >= 150)).not.toEqual([]);
  const { rows } = await domain.database.pool.query('select kind, state from reconciliation_break');
  expect(rows).toEqual([{ kind: 'missing_in_ledger', state: 'open' }]);
});
