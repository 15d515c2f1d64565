import * as z from 'zod';
import { databaseUrl, text, wholeNumber, wholeNumberOr } from './schemas.ts';
import { domainRules, serviceVariables } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

const concurrency = (preset: number, description: string) =>
  wholeNumberOr(preset, 1, 9_999, 'has to be a number from 1 to 9999').register(variableFacts, {
    description,
    unit: 'jobs at once',
  });

const keptFor = (description: string, minDays = 7) =>
  wholeNumber(minDays, 36_500)
    .optional()
    .register(variableFacts, { description, unit: 'days', preset: 'kept forever' });

export const workerSettings = defineSettings({
  title: 'the worker',
  schema: z.object({
    ...serviceVariables,
    DATABASE_AUDIT_URL: databaseUrl().optional().register(variableFacts, {
      description:
        'The same database with the role of the audit, which alone may write checkpoints; for workers that serve `audit`. See [database-roles.md](database-roles.md).',
      secret: true,
      preset: 'the audit uses DATABASE_URL',
    }),
    AUDIT_SEAL_DIR: text().optional().register(variableFacts, {
      description:
        'A folder for copies of the seals of past months, for workers that serve `audit`: the same folder for all of them, on another disk than the database. See [seals.md](seals.md).',
      preset: 'seals are in the database only',
    }),
    WORKER_SUBMIT_CONCURRENCY: concurrency(
      256,
      'Orders that this process submits to channels at once. One channel gets at most a quarter of them. The same holds for polling and expiry.',
    ),
    WORKER_POLL_CONCURRENCY: concurrency(256, 'Orders whose status it queries at channels at once.'),
    WORKER_EXPIRE_CONCURRENCY: concurrency(128, 'Orders that it lets expire at once.'),
    WORKER_NOTIFY_CONCURRENCY: concurrency(
      512,
      'First attempts at notifications that run at once. Most of them only wait for slow endpoints.',
    ),
    WORKER_RETRY_CONCURRENCY: concurrency(128, 'Later attempts at notifications that run at once.'),
    RETENTION_NOTIFICATION_DAYS: keptFor('Notifications that were delivered or exhausted are deleted after this time.'),
    RETENTION_ATTEMPT_DAYS: keptFor('Attempts at notifications are deleted after this time.'),
    RETENTION_CHANNEL_CALL_DAYS: keptFor('The log of calls to channels is deleted after this time.'),
    RETENTION_CHANNEL_MEMORY_DAYS: keptFor(
      'What adapters stored about an order that has ended is deleted after this time, at least 31 days.',
      31,
    ),
    RETENTION_STATEMENT_DAYS: keptFor(
      'The bytes of imported and refused statements are deleted after this time, at least 31 days. Their lines stay.',
      31,
    ),
    RETENTION_ARCHIVE_DIR: text().optional().register(variableFacts, {
      description:
        'A folder where rows are archived before they are deleted, as gzipped JSON lines (docs/running/retention.md).',
      preset: 'deleted without an archive',
    }),
  }),
  rules: domainRules,
});

export type WorkerSettings = z.output<typeof workerSettings.schema>;
