import * as z from 'zod';
import { databaseUrl, text, wholeNumber, wholeNumberOr } from './schemas.ts';
import { domainRules, serviceVariables } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

const concurrency = (preset: number, description: string) =>
  wholeNumberOr(preset, 1, 9_999, 'has to be a number from 1 to 9999').register(variableFacts, {
    description,
  });

const keptFor = (description: string, minDays = 7) =>
  wholeNumber(minDays, 36_500).optional().register(variableFacts, { description, preset: 'kept forever' });

export const workerSettings = defineSettings({
  title: 'the worker',
  schema: z.object({
    ...serviceVariables,
    DATABASE_AUDIT_URL: databaseUrl().optional().register(variableFacts, {
      description: 'The same database with the [role of the audit](database-roles.md), for workers that serve `audit`.',
      secret: true,
      preset: '`DATABASE_URL`',
    }),
    AUDIT_SEAL_DIR: text().optional().register(variableFacts, {
      description:
        'A folder for copies of [seals](seals.md), the same for all workers that serve `audit`, on another disk than the database.',
      preset: 'seals are in the database only',
    }),
    WORKER_SUBMIT_CONCURRENCY: concurrency(
      256,
      'Orders submitted to channels at once. One channel gets at most a quarter, also of polling and expiry.',
    ),
    WORKER_POLL_CONCURRENCY: concurrency(256, 'Orders queried at channels at once.'),
    WORKER_EXPIRE_CONCURRENCY: concurrency(128, 'Orders expired at once.'),
    WORKER_NOTIFY_CONCURRENCY: concurrency(512, 'First attempts at notifications at once.'),
    WORKER_RETRY_CONCURRENCY: concurrency(128, 'Later attempts at once.'),
    RETENTION_NOTIFICATION_DAYS: keptFor('Age at which delivered and exhausted notifications are deleted.'),
    RETENTION_ATTEMPT_DAYS: keptFor('Age at which attempts at notifications are deleted.'),
    RETENTION_CHANNEL_CALL_DAYS: keptFor('Age at which logged calls to channels are deleted.'),
    RETENTION_CHANNEL_MEMORY_DAYS: keptFor(
      'Age at which data that adapters stored about ended orders is deleted; at least 31.',
      31,
    ),
    RETENTION_STATEMENT_DAYS: keptFor(
      'Age at which the bytes of statements are deleted; at least 31. Their lines stay.',
      31,
    ),
    RETENTION_ARCHIVE_DIR: text().optional().register(variableFacts, {
      description: 'A folder for the [archive](retention.md#archive) of deleted rows.',
      preset: 'no archive',
    }),
  }),
  rules: domainRules,
});

export type WorkerSettings = z.output<typeof workerSettings.schema>;
