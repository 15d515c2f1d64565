import { partitionTables } from '@tidegate/domain/admin';
import { type Answer, done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, matching } from '../fields.ts';

const count = matching(/^([2-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-6])$/, 'a number from 2 to 256');

export const partition = defineCommand({
  name: 'partition-tables',
  group: 'First set-up',
  summary:
    'split the growing tables (orders, ledger, notifications, channel calls) by merchant, in a migrated database. Stop the service first. Needs no operator',
  kind: 'prepare',
  roles: null,
  fields: { partitions: argument('<partitions>', 'how many, 2 to 256; it cannot be changed later', count) },
  prepare: async (databaseUrl, print, { partitions }) => {
    await partitionTables(databaseUrl, Number(partitions), { report: print });
  },
  runFirst: async (_, { partitions }) => successMessage(partitions),
  run: async (_, { partitions }) => successMessage(partitions),
});

function successMessage(partitions: string): Answer {
  return done('The tables are partitioned.', { partitions: Number(partitions) });
}
