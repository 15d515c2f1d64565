import { randomBytes } from 'node:crypto';
import { createFirstOperator, makeToken, type Role, tokenIdOf } from '@tidegate/domain';
import { type Answer, done, refused } from '../answer.ts';
import { createOperatorChange } from '../changes.ts';
import type { AdminCommand, FirstContext } from '../command.ts';

interface First {
  operatorId: string;
  name: string;
  roles: Role[];
}

/** As any other operator is created; the very first one of a database needs nobody's leave, and is given a token at once. */
export const createOperatorCommand: AdminCommand = {
  ...createOperatorChange,
  summary: "create an operator; the very first one needs nobody's leave, and is given a token at once",
  async runFirst({ domain, reason }: FirstContext, { operatorId, name, roles }: First): Promise<Answer> {
    if (!roles.includes('admin'))
      return refused('the first operator needs the role admin, or nobody could create a second');
    const token = makeToken(randomBytes(32));
    if (!(await createFirstOperator(domain, { operatorId, name, roles }, token, reason)))
      return refused('somebody else has just created the first operator');
    const message = `Operator ${operatorId} is the first. This token is shown this once: keep it safe.`;
    return done(message, { operatorId, name, roles, tokenId: tokenIdOf(token), token });
  },
};
