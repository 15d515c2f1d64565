import { restorePeriod } from '@tidegate/domain/admin';
import { InvalidArgumentError } from 'commander';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, optional, required, text } from '../line/fields.ts';
import { readArchive } from '../line/read-archive.ts';
import { whole } from '../line/readers.ts';
import { InputProblem } from '../line/who-acts.ts';

const keptDays = 7;

export const restorePeriodCommand = defineCommand({
  name: 'restore-period',
  group: 'Checks',
  summary:
    'insert archived notifications, attempts and channel calls of a period again, so that they can be read. Needs the owner of the tables and no operator',
  kind: 'prepare',
  roles: null,
  fields: {
    from: argument('<from>', 'the first day in UTC, such as 2026-01-01', day),
    to: argument('<to>', 'the first day after it', day),
    archive: required('--archive <folder>', 'RETENTION_ARCHIVE_DIR of the workers, or a copy of it', text),
    days: optional(
      '--days <days>',
      `for how many days they are kept again, 1 to 90; ${keptDays} if absent`,
      whole(1, 90),
    ),
  },
  prepare: async ({ databaseUrl }, print, { from, to, archive, days = keptDays }) => {
    if (from >= to) throw new InputProblem('the period has to end after it begins');
    const period = { from, to, keepDays: days };
    const restored = await restorePeriod(databaseUrl, period, (kind) => readArchive(archive, kind, from));
    for (const [kind, rows] of Object.entries(restored)) if (rows > 0) print(`${kind}: ${rows} rows restored`);
  },
  runFirst: async (_, values) => answer(values),
  run: async (_, values) => answer(values),
});

function answer({ from, to, days = keptDays }: { from: Date; to: Date; days?: number | undefined }) {
  const period = { from: from.toISOString(), to: to.toISOString(), keptForDays: days };
  return done(`The period is restored. Workers may purge it again after ${days} days.`, period);
}

function day(text: string): Date {
  const found = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  if (found && !Number.isNaN(found.getTime()) && found.toISOString().startsWith(text)) return found;
  throw new InvalidArgumentError('Expected a day, such as 2026-01-01.');
}
