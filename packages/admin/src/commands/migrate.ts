import { ensureServiceKeys, migrateDatabase } from '@tidegate/domain/admin';
import { listCommonServiceKeys } from '@tidegate/domain/operators';
import { type Answer, done } from '../answer.ts';
import { defineCommand, type FirstContext } from '../command.ts';
import { timeText } from '../views.ts';

export const migrate = defineCommand({
  name: 'migrate',
  group: 'First set-up',
  summary: 'migrate the database, and make missing service keys of merchants. Needs no operator',
  kind: 'prepare',
  roles: null,
  fields: {},
  prepare: async (databaseUrl, print) => {
    const ran = await migrateDatabase(databaseUrl, { report: print });
    for (const name of ran) print(`ran ${name}`);
  },
  runFirst: finish,
  run: finish,
});

/** Warns while there is a common key: with it, one merchant's notification can be passed off as another's. */
const endIt =
  'The common key still signs for merchants of before: see docs/running/upgrading.md, and end-common-service-key.';

async function finish({ domain, print }: FirstContext): Promise<Answer> {
  const serviceKeysMade = await ensureServiceKeys(domain.database.pool, domain.vault, (count, left) =>
    print(`Made the service's keys of ${count} merchants, ${left} left.`),
  );
  const [common] = await listCommonServiceKeys(domain);
  const isAlive = common !== undefined && (common.endsAt === null || common.endsAt > Date.now());
  const commonKey = isAlive ? { keyId: common.keyId, endsAt: timeText(common.endsAt) } : null;
  return done(`The database is up to date.${commonKey ? ` ${endIt}` : ''}`, { serviceKeysMade, commonKey });
}
