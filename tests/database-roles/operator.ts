import { waitsForApproval } from '../../packages/api/test/whole-documents.ts';
import { type OperationName, operations } from '../../packages/domain/src/entries/operators.ts';

type Data = Record<string, unknown>;

/** Two operators who ask over GraphQL: one asks, the other approves what needs two. */
export interface Operators {
  /** Operations that were done so far. */
  readonly done: ReadonlySet<string>;
  /** Counts an operation of another operator. */
  note(name: OperationName): void;
  ask(query: string, variables?: object): Promise<Data>;
  /** Does an operation with all its approvals; throws if it is not done. */
  act(name: OperationName, input: object): Promise<void>;
  /** Asks for an operation and lets the other one reject it. */
  actRejected(name: OperationName, input: object): Promise<void>;
}

export function openOperators(apiUrl: string, token: string, approverToken: string): Operators {
  const done = new Set<string>();
  const post = async (by: string, query: string, variables: object = {}): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${by}` };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${apiUrl}/graphql`, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: object[] };
    if (errors || !data) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data;
  };
  const request = async (name: OperationName, input: object): Promise<string | null> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const waits = waitsForApproval(`${type}Payload`) ? 'approval { approvalId }' : '';
    const query = `mutation ($input: ${type}Input!) { it: ${name}(input: $input, reason: "a test") {
      __typename ... on Problem { reason message } ... on ${type}Payload { __typename ${waits} } } }`;
    const it = (await post(token, query, { input })).it as Data & { approval?: { approvalId: string } | null };
    if (it.__typename !== `${type}Payload`) throw new Error(`${name}: ${JSON.stringify(it)}`);
    return it.approval?.approvalId ?? null;
  };
  const decide = async (field: string, state: string): Promise<void> => {
    const query = `mutation { it: ${field} { ... on Approval { state outcome } ... on Problem { reason message } } }`;
    const it = (await post(approverToken, query)).it as Data;
    if (it.state !== state) throw new Error(`${field}: ${JSON.stringify(it)}`);
  };
  return {
    done,
    note: (name) => void done.add(name),
    ask: (query, variables) => post(token, query, variables),
    act: async (name, input) => {
      const approvalId = await request(name, input);
      if (approvalId !== null) await decide(`approve(approvalId: "${approvalId}")`, 'EXECUTED');
      done.add(name);
    },
    actRejected: async (name, input) => {
      const approvalId = await request(name, input);
      await decide(`reject(approvalId: "${approvalId}", reason: "a test")`, 'REJECTED');
    },
  };
}

export const operationNames = Object.keys(operations);

interface RefundTools {
  rows(sql: string): Promise<unknown>;
  untilRow(what: string, sql: string): Promise<unknown>;
  act: Operators['act'];
}

/**
 * Puts a refund of a case into the database, as if its channel had been asked to send the money back. The worker asks
 * the channel, which sends nothing back, and operators end it.
 */
export async function resolveOneRefund({ rows, untilRow, act }: RefundTools, merchantId: string, caseNo: number) {
  const ofCase = `merchant_id = '${merchantId}' and case_no = ${caseNo}`;
  await rows(`insert into refund (merchant_id, refund_no, case_no, channel_id, order_no, reference, currency, amount, reason,
      state, next_action, next_action_at, attempt, sends, created_at, updated_at)
    select merchant_id, 'RF1', case_no, channel_id, order_no, reference, currency, amount, 'a test',
      'requested', 'query', clock_timestamp(), 1, 1, clock_timestamp(), clock_timestamp() from money_case where ${ofCase}`);
  await rows(`update money_case set refund_no = 'RF1' where ${ofCase}`);
  await untilRow('the worker asked', `select from refund where ${ofCase} and answer is not null`);
  await act('resolveRefund', { merchantId, caseNo, refundNo: 'RF1', outcome: 'REFUNDED', evidence: 'a statement' });
}
