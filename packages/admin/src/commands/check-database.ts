import { readServerState } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { count } from '../line/readers.ts';

export const checkDatabaseCommand = defineCommand({
  name: 'check-database',
  group: 'Checks',
  summary:
    'check the server of the database: it is the primary, commits wait for another server, the timeline did not go back, roles for reads cannot write wallets. Exit code 1 if a check fails',
  kind: 'read',
  roles: null,
  fields: {
    seenTimeline: optional('--seen-timeline <number>', 'the highest timeline that was seen before', count),
  },
  async run({ domain }, { seenTimeline = 1 }) {
    const state = await readServerState(domain.database.pool);
    const { timeline, cluster, version, standbys, tls } = state;
    const rows = [
      { check: 'accepts writes', ok: state.acceptsWrites, detail: state.acceptsWrites ? 'primary' : 'standby' },
      {
        check: 'commits wait for another server',
        ok: state.isSynchronous,
        detail: standbys === '' ? 'synchronous_standby_names is empty' : standbys,
      },
      {
        check: 'timeline did not go back',
        ok: timeline >= seenTimeline,
        detail: `${timeline}, at least ${seenTimeline}`,
      },
      { check: 'commits are on the disk', ok: state.isDurable, detail: 'fsync, full_page_writes' },
      {
        check: 'only the ledger writer writes wallets',
        ok: state.writersBesides.length === 0,
        detail:
          state.writersBesides.length === 0
            ? 'no role for ordinary reads'
            : `${state.writersBesides.join(', ')} may, too`,
      },
      { check: 'damaged pages are noticed', ok: state.hasChecksums, detail: 'data checksums' },
    ];
    const failed = rows.filter(({ ok }) => !ok).length;
    const server = `PostgreSQL ${version}, cluster ${cluster}, connection ${tls === null ? 'not encrypted' : `encrypted by ${tls}`}`;
    if (failed === 0) return done(`${server}: all is well.`, rows);
    return { ok: true, message: `${server}: checks that failed: ${failed}`, result: rows, ended: 'violated' };
  },
});
