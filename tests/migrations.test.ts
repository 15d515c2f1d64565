import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../packages/domain/src/database/migrations/index.ts';
import { ROOT } from './shipping/dockerfile.ts';

// A migration runs while the version before serves. It may hold no lock for long, and remove nothing that the other version uses.

/** Rules that a migration need not keep: the migrating session sets both time limits itself (database/migrate-database.ts), and there are no enums. */
const needlessRules = ['require-lock-timeout', 'require-statement-timeout', 'require-enum-value-ordering'];
const rulesOfStyle = [
  'prefer-robust-stmts',
  'prefer-text-field',
  'prefer-bigint-over-int',
  'prefer-identity',
  'prefer-timestamp-tz',
];

/** The rules of squawk, a linter of migrations, that the SQL breaks. */
function brokenRules(sql: string, inTransaction: boolean): string[] {
  const excluded = [...needlessRules, ...rulesOfStyle].map((rule) => `--exclude=${rule}`);
  const options = ['--reporter=json', '--pg-version=18', ...excluded];
  const result = spawnSync(
    join(ROOT, 'node_modules/.bin/squawk'),
    [...options, ...(inTransaction ? ['--assume-in-transaction'] : []), '--stdin-filepath=migration.sql'],
    { input: sql, encoding: 'utf8' },
  );
  if (result.error || result.stdout === '') throw new Error(`squawk: ${result.error ?? result.stderr}`);
  const found: { line: number; rule_name: string }[] = JSON.parse(result.stdout);
  return found.map(({ rule_name: rule }) => rule);
}

test('the check refuses a statement that would lock out the running service', () => {
  const before = 'create table orders (id bigint primary key, note text);';
  expect(brokenRules(`${before} create index on orders (note);`, true)).toEqual([]);
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
    expect(brokenRules(sql, true), sql).toContain(rule);
  expect(brokenRules('create index concurrently by_note on orders (note);', false)).toEqual([]);
});

/** Findings that we examined and accept, by migration, each with the reason. */
const accepted: Readonly<Record<string, readonly string[]>> = {};

/** The first one makes the schema, before any release. */
const [baseline, ...later] = migrations;

/** The statements of a migration. `up` only collects them: no database is needed. */
async function readMigration(Migration: (typeof later)[number]['class']) {
  const migration = new Migration(undefined as never, undefined as never);
  await migration.up();
  return { isTransactional: migration.isTransactional(), statements: migration.getQueries().map(String) };
}

test('no migration after the baseline stops the service or breaks the version before it', async () => {
  expect(baseline?.name).toBe('0001-baseline');
  for (const { name, class: Migration } of later) {
    const { statements, isTransactional } = await readMigration(Migration);
    expect(statements, name).not.toEqual([]);
    const found = brokenRules(statements.join(';\n'), isTransactional);
    expect([...new Set(found)], name).toEqual(accepted[name] ?? []);
    // An interrupted run leaves an invalid index, so it is dropped first.
    const sql = statements.map((statement) => statement.trim());
    for (const [position, statement] of sql.entries()) {
      const index = /^create (?:unique )?index concurrently (\w+)/.exec(statement)?.[1];
      if (index !== undefined)
        expect(sql.slice(0, position), name).toContain(`drop index concurrently if exists ${index}`);
    }
  }
});
