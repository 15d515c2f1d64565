import { migrateDatabase } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';

const finish = async () => done('The database is up to date.', {});

export const migrate = defineCommand({
  name: 'migrate',
  group: 'First set-up',
  summary: 'migrate the database. Needs no operator',
  kind: 'prepare',
  roles: null,
  fields: {},
  prepare: async ({ databaseUrl, environment }, print) => {
    const ran = await migrateDatabase(databaseUrl, { environment, report: print });
    for (const name of ran) print(`ran ${name}`);
  },
  runFirst: finish,
  run: finish,
});
