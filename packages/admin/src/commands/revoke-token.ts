import { changeConfiguration, findOperator, platformTenant, revokeTokens, tokenIdOf } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, matching, optional } from '../fields.ts';
import { operatorId } from '../readers.ts';

export const revokeToken = defineCommand({
  name: 'revoke-token',
  group: 'Operators',
  summary: "end an operator's tokens at once: one, or all but the one that you use now",
  kind: 'change',
  role: 'admin',
  fields: {
    operatorId: argument('<operator>', 'whose tokens', operatorId),
    tokenId: optional(
      '--token-id <id>',
      'this one alone: the tokenId that create-token gave',
      matching(/^[0-9a-f]{12}$/, 'a token id: 12 hexadecimal digits'),
    ),
  },
  async run({ domain, by, token }, { operatorId, tokenId }) {
    if (!(await findOperator(domain, operatorId))) return refused(`there is no operator ${operatorId}`);
    if (tokenId === tokenIdOf(token)) return refused('this is the token that you use now: do it with another');
    let revoked = 0;
    const settings = { tokenId: tokenId ?? 'all' };
    await changeConfiguration(
      domain,
      { merchantId: platformTenant, change: 'revokeTokens', subject: operatorId, settings },
      by,
      async () => {
        revoked = await revokeTokens(domain, operatorId, tokenId ?? null, token);
        return revoked > 0;
      },
    );
    if (revoked === 0) return refused(`${operatorId} has no such token that is still valid`);
    return done(`${revoked} token${revoked === 1 ? '' : 's'} of ${operatorId} revoked.`, { operatorId, revoked });
  },
});
