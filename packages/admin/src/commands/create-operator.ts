import { randomBytes } from 'node:crypto';
import {
  changeConfiguration,
  createFirstOperator,
  createOperator,
  findOperator,
  makeToken,
  platformTenant,
  roles,
  tokenIdOf,
} from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, required, toggle } from '../fields.ts';
import { operatorId, roleList, text } from '../readers.ts';

export const createOperatorCommand = defineCommand({
  name: 'create-operator',
  group: 'Operators',
  summary: "create an operator; the very first one needs nobody's leave, and is given a token at once",
  kind: 'change',
  role: 'admin',
  fields: {
    operatorId: argument('<operator>', 'their id: 2 to 64 small letters, digits or . _ @ -', operatorId),
    name: required('--name <name>', 'their name', text),
    roles: required('--roles <list>', `${roles.join(', ')}; a comma between them`, roleList),
    change: toggle('--change', 'give an operator who is there this name and exactly these roles'),
  },
  async runFirst({ domain, reason }, { operatorId, name, roles }) {
    if (!roles.includes('admin'))
      return refused('the first operator needs the role admin, or nobody could create a second');
    const token = makeToken(randomBytes(32));
    if (!(await createFirstOperator(domain, { operatorId, name, roles }, token, reason)))
      return refused('somebody else has just created the first operator');
    const message = `Operator ${operatorId} is the first. This token is shown this once: keep it safe.`;
    return done(message, { operatorId, name, roles, tokenId: tokenIdOf(token), token });
  },
  async run({ domain, by }, { operatorId, name, roles, change }) {
    const existing = await findOperator(domain, operatorId);
    if (existing && !change)
      return refused(`there is an operator ${operatorId} already: --change gives them this name and these roles`);
    if (!existing && change) return refused(`there is no operator ${operatorId} to be changed`);
    if (operatorId === by.actor && !roles.includes('admin'))
      return refused('you cannot take the role admin from yourself: another operator can');
    const settings = { name, roles };
    const recorded = { merchantId: platformTenant, change: 'createOperator', subject: operatorId, settings };
    await changeConfiguration(domain, recorded, by, async () => {
      await createOperator(domain, { operatorId, ...settings });
      return true;
    });
    const message = change
      ? `Operator ${operatorId} is changed.`
      : `Operator ${operatorId} is created. Next: create-token.`;
    return done(message, { operatorId, name, roles });
  },
});
