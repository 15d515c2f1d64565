import type { Demo } from './demo-orders.ts';

type Operators = Pick<Demo, 'admin' | 'approver'>;

/** A GraphQL mutation: its name, e.g. `closeDay`, its input, and the reason for the audit log. */
interface Request {
  name: string;
  input: object;
  reason: string;
}

/**
 * The admin requests an operation, and the approver approves it. Resolves to the reason of a refusal; null if it was
 * done.
 */
export async function requestByTwo(
  { admin, approver }: Operators,
  { name, input, reason }: Request,
): Promise<string | null> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!, $reason: String!) { it: ${name}(input: $input, reason: $reason) {
    ... on ${type}Payload { approval { approvalId } } ... on Problem { message } } }`;
  interface Answer {
    it: { approval?: { approvalId: string } | null; message?: string };
  }
  const { it } = await admin<Answer>(query, { input, reason });
  if (!it.approval) return it.message ?? null;
  const approved = await approver<{ approve: { message?: string } }>(
    'mutation ($id: String!) { approve(approvalId: $id) { __typename ... on Problem { message } } }',
    { id: it.approval.approvalId },
  );
  return approved.approve.message ?? null;
}

/** Like `requestByTwo`, but throws if it is refused. */
export async function changeByTwo(operators: Operators, request: Request): Promise<void> {
  const refusal = await requestByTwo(operators, request);
  if (refusal !== null) throw new Error(`${request.name}: ${refusal}`);
}
