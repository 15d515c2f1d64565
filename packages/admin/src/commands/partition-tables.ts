import { partitionTables } from '@tidegate/domain/admin';
import { type Answer, done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { whole } from '../line/readers.ts';

export const partition = defineCommand({
  name: 'partition-tables',
  group: 'First set-up',
  summary:
    'split the growing tables (orders, ledger, notifications, channel calls) by merchant, in a migrated database. Stop the service first. Needs no operator',
  kind: 'prepare',
  roles: null,
  fields: { partitions: argument('<partitions>', 'how many, 2 to 256; it cannot be changed later', whole(2, 256)) },
  prepare: async ({ databaseUrl }, print, { partitions }) => {
    await partitionTables(databaseUrl, partitions, { report: print });
  },
  runFirst: async (_, { partitions }) => successMessage(partitions),
  run: async (_, { partitions }) => successMessage(partitions),
});

function successMessage(partitions: number): Answer {
  return done('The tables are partitioned.', { partitions: partitions });
}
