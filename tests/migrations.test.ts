import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../packages/domain/src/database/migrations/index.ts';
import { ROOT } from './shipping/dockerfile.ts';

// A migration runs while the version before serves. It may hold no lock for long, and remove nothing that the other version uses.

/** These made the first schema, before the first release. */
const ofTheFirstSchema = '0008-read-indexes';

/** Rules of style, and time limits that the migrating session sets already (database/migrate-database.ts). */
const left = ['require-lock-timeout', 'require-statement-timeout', 'require-enum-value-ordering'];
const taste = [
  'prefer-robust-stmts',
  'prefer-text-field',
  'prefer-bigint-over-int',
  'prefer-identity',
  'prefer-timestamp-tz',
];

/** What a linter of migrations says, by the names of its rules. */
function judge(sql: string, inTransaction: boolean): string[] {
  const how = ['--reporter=json', '--pg-version=18', ...[...left, ...taste].map((rule) => `--exclude=${rule}`)];
  const result = spawnSync(
    join(ROOT, 'node_modules/.bin/squawk'),
    [...how, ...(inTransaction ? ['--assume-in-transaction'] : []), '--stdin-filepath=migration.sql'],
    { input: sql, encoding: 'utf8' },
  );
  if (result.error || result.stdout === '') throw new Error(`squawk: ${result.error ?? result.stderr}`);
  const found: { line: number; rule_name: string }[] = JSON.parse(result.stdout);
  return found.map(({ rule_name: rule }) => rule);
}

test('the check refuses a statement that would lock out the running service', () => {
  const before = 'create table orders (id bigint primary key, note text);';
  expect(judge(`${before} create index on orders (note);`, true)).toEqual([]);
  for (const [sql, rule] of [
    ['alter table orders drop column note;', 'ban-drop-column'],
    ['drop table orders;', 'ban-drop-table'],
    ['alter table orders rename column note to remark;', 'renaming-column'],
    ['alter table orders rename to sales;', 'renaming-table'],
    ['alter table orders alter column note type varchar(9);', 'changing-column-type'],
    ['alter table orders add column tax numeric not null;', 'adding-required-field'],
    ['alter table orders alter column note set not null;', 'adding-not-nullable-field'],
    ['create index by_note on orders (note);', 'require-concurrent-index-creation'],
    ["alter table orders add constraint noted check (note <> '');", 'constraint-missing-not-valid'],
  ] as const)
    expect(judge(sql, true), sql).toContain(rule);
  expect(judge('create index concurrently by_note on orders (note);', false)).toEqual([]);
});

/** Findings that we examined and accept, each with the reason. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  // BRIN indexes are made in one pass, at the speed of the disk, over logs that no request waits for; and a table that was split by merchant
  // takes none concurrently.
  '0010-retention': ['require-concurrent-index-creation'],
  // `retention` has a row for each kind. `channel_memory` was never released before, so no installation has many rows in it.
  '0043-order-watch': ['require-concurrent-index-creation', 'constraint-missing-not-valid'],
  // `settlement` is made by this migration, so it is empty.
  '0050-settlements': ['require-concurrent-index-creation'],
  // `statement_file` has a row for each statement, which is a few for each channel and day. Only imports write it.
  '0052-statement-fetches': ['require-concurrent-index-creation'],
  // `settlement_file` is made by this migration, so it is empty. The index of `settlement` is made concurrently.
  '0055-settlement-files': ['require-concurrent-index-creation'],
  // `audit_run` has a row for each kind of run.
  '0064-period-seals': ['constraint-missing-not-valid'],
};

const later = migrations.filter(({ name }) => name > ofTheFirstSchema);
test('no migration since the first schema stops the service or breaks the version before it', async () => {
  expect(migrations.map(({ name }) => name)).toContain(ofTheFirstSchema);
  for (const { name, class: Migration } of later) {
    // `up` only collects the statements; no database is needed.
    const migration = new Migration(undefined as never, undefined as never);
    await migration.up();
    const statements = migration.getQueries().map(String);
    expect(statements, name).not.toEqual([]);
    const found = judge(statements.join(';\n'), migration.isTransactional());
    expect([...new Set(found)], name).toEqual(accepted[name] ?? []);
  }
});
