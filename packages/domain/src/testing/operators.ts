import { randomBytes } from 'node:crypto';
import type { OperationName } from '../approvals/operations.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { withdraw } from '../approvals/withdraw.ts';
import { addOperatorToken, createOperator, makeToken } from '../configuration/create-operator.ts';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import type { Domain } from '../open-domain.ts';

// Operators on a real database, and their requests.

let count = 0;

/** An existing operator, as authenticated by a token. */
export async function anOperator(
  domain: Domain,
  roles: readonly Role[],
  restriction: Partial<Pick<OperatorContext, 'countries' | 'merchantIds'>> = {},
): Promise<OperatorContext> {
  count += 1;
  const operatorId = `${roles[0] ?? 'nobody'}-${count}`;
  const { countries = null, merchantIds = null } = restriction;
  await createOperator(domain, { operatorId, name: 'Test Operator', roles, countries, merchantIds });
  await addOperatorToken(domain, operatorId, makeToken(randomBytes(32)));
  return { operatorId, roles, countries, merchantIds, tokenId: null, signIn: 'token' };
}

/** The result of a request in one word: `executed`, `pending`, or its refusal. */
export async function request(
  domain: Domain,
  operator: OperatorContext,
  name: OperationName,
  input: object,
): Promise<string> {
  const done = await requestOperation(domain, operator, name, input, 'a test');
  return done.ok ? done.state : done.rejection;
}

/** The same as `request`. What then waits is withdrawn, so that the next request about the object can wait. */
export async function requestAndWithdraw(
  domain: Domain,
  operator: OperatorContext,
  name: OperationName,
  input: object,
): Promise<string> {
  const done = await requestOperation(domain, operator, name, input, 'a test');
  if (!done.ok) return done.rejection;
  if (done.state === 'pending') await withdraw(domain, operator, done.approval.approvalId, 'a test');
  return done.state;
}
