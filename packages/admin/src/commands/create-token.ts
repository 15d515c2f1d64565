import { randomBytes } from 'node:crypto';
import {
  addOperatorToken,
  changeConfiguration,
  findOperator,
  makeToken,
  platformTenant,
  tokenIdOf,
} from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, optional } from '../fields.ts';
import { instant, operatorId } from '../readers.ts';

export const createToken = defineCommand({
  name: 'create-token',
  group: 'Operators',
  summary: 'give an operator a token, beside those that they have; it is shown once and kept nowhere',
  kind: 'change',
  role: 'admin',
  fields: {
    operatorId: argument('<operator>', 'whose token it is', operatorId),
    expiresAt: optional('--expires-at <time>', 'until when it lets them in (default: until it is revoked)', instant),
  },
  async run({ domain, by }, { operatorId, expiresAt }) {
    if (!(await findOperator(domain, operatorId)))
      return refused(`there is no operator ${operatorId}: see create-operator`);
    if (expiresAt && expiresAt.getTime() <= Date.now())
      return refused(`${expiresAt.toISOString()} is over: choose a later time`);
    const token = makeToken(randomBytes(32));
    const tokenId = tokenIdOf(token);
    const expires = expiresAt?.toISOString() ?? null;
    const settings = { tokenId, expiresAt: expires };
    await changeConfiguration(
      domain,
      { merchantId: platformTenant, change: 'addOperatorToken', subject: operatorId, settings },
      by,
      async () => {
        await addOperatorToken(domain, operatorId, token, expiresAt ?? null);
        return true;
      },
    );
    return done(`A token for ${operatorId}. It is shown this once: keep it safe.`, { operatorId, ...settings, token });
  },
});
