import { type Approval, objectsOf, problemOfApproval } from '../../core/approval.ts';
import { type Command, neededApproval } from '../../core/commands.ts';
import { ApprovalRow, approvalChanges } from '../../database/entities/access.ts';
import { isAbout } from '../../lists/conditions.ts';
import { type ColumnsOf, insert, selectList, update } from './queries.ts';
import { type Known, key, type LedgerRecord, readByKeys } from './record.ts';

function queries(columns: ColumnsOf) {
  const all = columns(ApprovalRow);
  const list = selectList(all.filter(({ property }) => property !== 'secrets'));
  const keys = 'unnest($1::text[], $2::text[]) as k(m, n)';
  return {
    approvalsById: {
      name: 'approvals-by-id',
      text: `select ${list} from approval t join ${keys} on t.merchant_id = k.m and t.approval_id = k.n`,
    },
    /** Few approvals are pending, and an index has exactly these. */
    waitingApprovals: {
      name: 'waiting-approvals',
      text: `select ${list} from approval t join ${keys} on t.merchant_id = k.m and ${isAbout('k.n')}
        where t.state = 'pending' and t.expires_at > clock_timestamp()`,
    },
    wipeEndedSecrets: {
      name: 'wipe-ended-secrets',
      text: `update approval t set secrets = null from (select merchant_id, approval_id from approval where secrets is not null
        and expires_at <= clock_timestamp() limit $1 for update skip locked) k where t.merchant_id = k.merchant_id and t.approval_id = k.approval_id`,
    },
    insertApprovals: insert('approval', all),
    // The secrets of a decided approval are deleted.
    updateApprovals: update<Approval>('approval', all, approvalChanges, ['secrets = null']),
  };
}

/** Requests of operators that wait for a second one: those that commands name, and those about the objects of a new one. */
export const approvals = {
  queries,
  async load({ client, sql }, commands) {
    const named = commands.map(neededApproval).filter((found) => found !== null);
    const asked = commands.flatMap((command) =>
      command.type === 'requestApproval'
        ? objectsOf(command).map((subject) => ({ merchantId: command.merchantId, subject }))
        : [],
    );
    const found = await Promise.all([
      readByKeys<Approval>(client, sql.approvalsById, [
        named.map(({ merchantId }) => merchantId),
        named.map(({ approvalId }) => approvalId),
      ]),
      readByKeys<Approval>(client, sql.waitingApprovals, [
        asked.map(({ merchantId }) => merchantId),
        asked.map(({ subject }) => subject),
      ]),
    ]);
    return new Map(found.flat().map((one) => [key(one.merchantId, one.approvalId), one]));
  },
  state(known, command, { now }) {
    const named = neededApproval(command);
    const approval = (named && known.get(key(named.merchantId, named.approvalId))) ?? null;
    return { approval, waiting: waitingBefore(known, command, now) };
  },
  keep(known, _, { state: { approval } }) {
    if (approval) known.set(key(approval.merchantId, approval.approvalId), approval);
  },
  added: { 'approval requested': ({ approval, secrets }) => ({ ...approval, secrets }) },
  changed: {
    by: { 'approval decided': ({ approval }) => approval },
    noOf: (row) => (row as Approval).approvalId,
  },
} satisfies LedgerRecord<Approval, ReturnType<typeof queries>>;

/** Two requests about the same object may contradict each other, so only one waits at a time. */
function waitingBefore(known: Known<Approval>, command: Command, now: number): Approval | null {
  if (command.type !== 'requestApproval') return null;
  const { merchantId, approvalId } = command;
  const objects = new Set(objectsOf(command));
  const isOther = (one: Approval): boolean =>
    one.merchantId === merchantId && one.approvalId !== approvalId && !objects.isDisjointFrom(new Set(objectsOf(one)));
  return [...known.values()].find((one) => isOther(one) && problemOfApproval(one, now) === null) ?? null;
}
