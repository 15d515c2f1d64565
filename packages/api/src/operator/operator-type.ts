import {
  loadOperators,
  type OperatorRecord,
  type OperatorTokenRecord,
  pagesOfOperatorTokens,
} from '@tidegate/domain/lists';
import { type CreatedBy, loadCreators } from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { CountryEnum, RoleEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';
import { isRestricted } from '../graphql/platform-only.ts';

const OperatorTokenType = builder.objectRef<OperatorTokenRecord>('OperatorToken').implement({
  description: 'A token of an operator. The token itself was shown only once and is not stored.',
  authScopes: { roles: ['admin'] },
  fields: (t) => ({
    tokenId: t.exposeString('tokenId', { description: 'Token id, to revoke it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Valid until this time. Null: until it is revoked.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of revocation. Null: not revoked.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Last use, accurate to about a minute. Null: never used.',
    }),
  }),
});

/** An operator, by their id. Only admins can see one. */
export const OperatorType = builder.loadableNodeRef('Operator', {
  id: { resolve: ({ operatorId }: OperatorRecord) => operatorId },
  // Operators belong to the whole platform, so a restricted operator sees none.
  load: async (ids: string[], context) => {
    return loaded(isRestricted(operatorOf(context)) ? ids.map(() => null) : await loadOperators(context.domain, ids));
  },
});

const OperatorCreation = builder.objectRef<CreatedBy>('OperatorCreation').implement({
  description: 'Who created an operator.',
  fields: (t) => ({
    requestedBy: t.exposeString('actor', {
      description: 'Id of the operator who requested it, or what created it at first sign-in.',
    }),
    approvedBy: t.exposeString('approver', {
      nullable: true,
      description:
        'Id of the operator who approved it. Null for the first operators, and those of an identity provider.',
    }),
  }),
});

const creators = new WeakMap<ApiContext, DataLoader<string, CreatedBy | null>>();

function creatorOf(context: ApiContext, operatorId: string): Promise<CreatedBy | null> {
  const loader = creators.get(context) ?? new DataLoader((ids: readonly string[]) => loadCreators(context.domain, ids));
  creators.set(context, loader);
  return loader.load(operatorId);
}

OperatorType.implement({
  description: 'A person who operates this service.',
  authScopes: { roles: ['admin'] },
  fields: (t) => ({
    operatorId: t.exposeString('operatorId', { description: 'Operator id.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    roles: t.expose('roles', { type: [RoleEnum], description: 'Roles of the operator.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the operator may sign in.' }),
    countries: t.expose('countries', {
      type: [CountryEnum],
      nullable: true,
      description: 'Restricts the operator to merchants of these countries. Null: no restriction.',
    }),
    merchantIds: t.exposeStringList('merchantIds', {
      nullable: true,
      description: 'Restricts the operator to these merchants. Null: no restriction.',
    }),
    identity: t.exposeString('externalId', {
      nullable: true,
      description: 'Identity at the identity provider: issuer, space, subject. Null: none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    version: t.string(versionOfConfiguration((operator: OperatorRecord) => ({ type: 'operator', operator }))),
    actions: t.field(actionsOf((operator: OperatorRecord) => ({ type: 'operator', operator }))),
    createdBy: t.field({
      type: OperatorCreation,
      nullable: true,
      description: 'Who created the operator. Null: the audit log does not say.',
      resolve: ({ operatorId }, _args, context) => creatorOf(context, operatorId),
    }),
    tokens: t.connection({
      type: OperatorTokenType,
      description: 'Tokens of the operator, newest first. Includes expired and revoked tokens.',
      resolve: childPages(
        'operator_tokens',
        (domain, _scope, operatorIds: readonly string[], page) => pagesOfOperatorTokens(domain, operatorIds, page),
        ({ operatorId }: OperatorRecord) => operatorId,
      ),
    }),
  }),
});
