import { randomBytes } from 'node:crypto';
import { createFirstOperator, makeToken } from '@tidegate/domain/admin';
import { type Role, tokenIdOf } from '@tidegate/domain/operators';
import { type Answer, done, refused } from '../line/answer.ts';
import type { AdminCommand, FirstContext } from '../line/command.ts';
import { createOperatorChange } from '../operations/operator-changes.ts';

interface First {
  operatorId: string;
  name: string;
  roles: Role[];
  countries?: readonly string[];
  merchantIds?: readonly string[];
}

/** Creates an operator. The first two admins of a database need no approval and receive a token at once. */
export const createOperatorCommand: AdminCommand = {
  ...createOperatorChange,
  summary:
    'create an operator. The first two admins need no approval and get a token at once. Later ones need a second operator',
  async runFirst(
    { domain, reason }: FirstContext,
    { operatorId, name, roles, countries, merchantIds }: First,
  ): Promise<Answer> {
    if (!roles.includes('admin') || countries || merchantIds)
      return refused('the first two operators need the role admin for everything: only two of them can create others');
    const token = makeToken(randomBytes(32));
    if (!(await createFirstOperator(domain, { operatorId, name, roles }, token, reason)))
      return refused('this operator exists already, or there are two admins already');
    const message = `Operator ${operatorId} is one of the first two. This token is shown only once: keep it safe.`;
    return done(message, { operatorId, name, roles, tokenId: tokenIdOf(token), token });
  },
};
