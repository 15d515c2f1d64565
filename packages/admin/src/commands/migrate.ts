import { type Domain, ensureServiceKey, migrateDatabase } from '@tidegate/domain';
import { type Answer, done } from '../answer.ts';
import { defineCommand } from '../command.ts';

export const migrate = defineCommand({
  name: 'migrate',
  group: 'First set-up',
  summary:
    "bring the database's tables up to date and make the service's signing key where there is none; needs no operator",
  kind: 'prepare',
  roles: null,
  fields: {},
  prepare: async (databaseUrl, tell) => {
    const ran = await migrateDatabase(databaseUrl, { tell });
    for (const name of ran) tell(`ran ${name}`);
  },
  runFirst: ({ domain }) => finish(domain),
  run: ({ domain }) => finish(domain),
});

async function finish(domain: Domain): Promise<Answer> {
  await ensureServiceKey(domain.database.pool, domain.vault);
  const { keyId } = await domain.serviceKeys.signing();
  return done('The database is up to date.', { signingKey: keyId });
}
