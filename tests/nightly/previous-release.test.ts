import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireChain } from '../../packages/domain/src/entries/admin.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { paidThrough, payThrough } from '../shipping/pay-through.ts';
import { findPreviousVersions, type PreviousRelease, takePreviousRelease } from '../shipping/previous-release.ts';

// A new version's migrations run first. The version before serves until it is replaced, and again after a rollback. So this test takes
// that version's code from the history, and runs it on today's schema, alone and together with today's code.

const packageOf = { rest: 'rest-adapter', api: 'api', worker: 'worker' } as const;
const versions = await findPreviousVersions();

describe.skipIf(versions.length === 0)('the release before the newest migration, on the current schema', () => {
  let previous: PreviousRelease;
  let fleet: Fleet;
  let version: 'previous' | 'this' = 'previous';
  beforeAll(async () => {
    previous = await takePreviousRelease(versions);
    const main = (kind: keyof typeof packageOf) => join(previous.folder, 'packages', packageOf[kind], 'src/main.ts');
    fleet = await startFleet({
      scale: 0.1,
      commonKey: true,
      runs: (kind) =>
        version === 'this' ? null : { command: [process.execPath, main(kind)], folder: previous.folder, env: {} },
    });
    // As in any database that the release before has written to; an empty one is migrated with the chain required.
    await requireChain(fleet.databaseUrl, { lift: true });
    console.log(`The release before: ${previous.commit}`);
  }, 480_000);
  afterAll(async () => {
    await fleet?.stop();
    await previous?.remove();
  }, 240_000);

  const start = (which: typeof version, kind: keyof typeof packageOf) => {
    version = which;
    return fleet.start(kind);
  };

  test('the previous release serves alone, together with this release during an upgrade, and alone again after a rollback', {
    timeout: 300_000,
  }, async () => {
    const oldRest = await start('previous', 'rest');
    const oldApi = await start('previous', 'api');
    const oldWorker = await start('previous', 'worker');
    expect(await payThrough(fleet, oldRest.url, 'ALONE')).toEqual(paidThrough);

    const rest = await start('this', 'rest');
    expect(await payThrough(fleet, rest.url, 'NEW-REST')).toEqual(paidThrough);
    const worker = await start('this', 'worker');
    expect(await oldWorker.terminate()).toMatchObject({ how: 'exit code 0' });
    expect(await payThrough(fleet, oldRest.url, 'NEW-WORKER')).toEqual(paidThrough);

    expect(await worker.terminate()).toMatchObject({ how: 'exit code 0' });
    expect(await rest.terminate()).toMatchObject({ how: 'exit code 0' });
    await oldWorker.startAgain();
    expect(await payThrough(fleet, oldRest.url, 'BACK')).toEqual(paidThrough);
    for (const member of [oldRest, oldApi, oldWorker])
      expect(await member.terminate(), member.name).toMatchObject({ how: 'exit code 0' });
    expect(await fleet.violations()).toEqual([]);
  });
});
