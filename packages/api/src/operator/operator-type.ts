import {
  loadOperators,
  type OperatorRecord,
  type OperatorTokenRecord,
  pagesOfOperatorTokens,
} from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { childPages } from '../child-pages.ts';
import { operatorOf } from '../context.ts';
import { CountryEnum, RoleEnum } from '../enums.ts';
import { loaded } from '../loaded.ts';
import { isRestricted } from '../platform-only.ts';

const OperatorTokenType = builder.objectRef<OperatorTokenRecord>('OperatorToken').implement({
  description: 'A token that lets an operator in. The token itself was shown once, and is kept nowhere.',
  authScopes: { roles: ['admin'] },
  fields: (t) => ({
    tokenId: t.exposeString('tokenId', { description: 'What to revoke it by.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it lets them in; null: until it is revoked.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null: it was not.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it let them in last, to a few seconds; null: never.',
    }),
  }),
});

/** An operator, by their id. Only admins get hold of one. */
export const OperatorType = builder.loadableNodeRef('Operator', {
  id: { resolve: ({ operatorId }: OperatorRecord) => operatorId },
  // Operators are the whole platform's: one who is restricted has hold of nobody.
  load: async (ids: string[], context) => {
    return loaded(isRestricted(operatorOf(context)) ? ids.map(() => null) : await loadOperators(context.domain, ids));
  },
});

OperatorType.implement({
  description: 'Somebody who works with this service.',
  authScopes: { roles: ['admin'] },
  fields: (t) => ({
    operatorId: t.exposeString('operatorId', { description: 'Their id.' }),
    name: t.exposeString('name', { description: 'Their name.' }),
    roles: t.expose('roles', { type: [RoleEnum], description: 'What they may do.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether they are let in.' }),
    countries: t.expose('countries', {
      type: [CountryEnum],
      nullable: true,
      description: 'Only merchants of these countries; null: of all.',
    }),
    merchantIds: t.exposeStringList('merchantIds', { nullable: true, description: 'Only these merchants; null: all.' }),
    identity: t.exposeString('externalId', {
      nullable: true,
      description: 'Who they are to the identity provider: its issuer, a blank, and their subject there; null: nobody.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were created.' }),
    tokens: t.connection({
      type: OperatorTokenType,
      description: 'Their tokens, those that ended too, the newest first.',
      resolve: childPages(
        'operator_tokens',
        (domain, _scope, operatorIds: readonly string[], page) => pagesOfOperatorTokens(domain, operatorIds, page),
        ({ operatorId }: OperatorRecord) => operatorId,
      ),
    }),
  }),
});
