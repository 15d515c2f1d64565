import { keeperOfId, merchantOf } from '../../core/commands.ts';
import { AuditRecordRow } from '../../database/entities/access.ts';
import { type ColumnsOf, insert } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

function queries(columns: ColumnsOf) {
  return {
    /** Of these commands, those with a recorded decision. */
    decidedCommands: {
      name: 'decided-commands',
      text: `select t.merchant_id as "merchantId", t.command_id::text as id from audit_record t
        join unnest($1::text[], $2::uuid[]) as k(m, n) on t.merchant_id = k.m and t.command_id = k.n`,
    },
    insertAudits: insert('audit_record', columns(AuditRecordRow)),
  };
}

/** Decisions of operators. Known are the commands whose decision is on record, by merchant and id. */
export const audits = {
  queries,
  async load({ client, sql }, commands) {
    const recorded = commands.filter((command) => command.id !== undefined && keeperOfId(command) === 'record');
    const keys = [recorded.map(merchantOf), recorded.map(({ id }) => id)];
    const found = await readByKeys<{ merchantId: string; id: string }>(client, sql.decidedCommands, keys);
    return new Map(found.map(({ merchantId, id }) => [key(merchantId, id), true as const]));
  },
  added: { 'audit recorded': ({ record }) => record },
} satisfies LedgerRecord<true, ReturnType<typeof queries>>;
