import { operatorFilter, pageOperators } from '@tidegate/domain/lists';
import type { OperatorContext } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { CountryEnum, RoleEnum } from '../enums.ts';
import { connectionOf, pageOf } from '../paging.ts';
import { refuseRestricted } from '../platform-only.ts';
import { OperatorType } from './operator-type.ts';

const OperatorFilter = builder.inputType('OperatorFilter', {
  description: 'Filter for operators. Filters are optional and combined with AND.',
  fields: (t) => ({
    role: t.field({ type: RoleEnum, description: 'Has this role.' }),
    enabled: t.boolean({ description: 'Whether the operator may sign in.' }),
  }),
});

builder.queryField('operators', (t) =>
  t.connection({
    type: OperatorType,
    description: 'Operators, by id. Role: admin.',
    authScopes: { roles: ['admin'] },
    args: {
      filter: t.arg({
        type: OperatorFilter,
        description: 'Filter. Default: all operators.',
        validate: { schema: operatorFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      refuseRestricted(operatorOf(context));
      return connectionOf(await pageOperators(context.domain, filter ?? {}, pageOf('operators', page)));
    },
  }),
);

const Me = builder.objectRef<OperatorContext>('Me').implement({
  description: 'The operator of the token in use.',
  fields: (t) => ({
    operatorId: t.exposeString('operatorId', { description: 'Your operator id.' }),
    roles: t.field({ type: [RoleEnum], description: 'Your roles.', resolve: ({ roles }) => [...roles] }),
    countries: t.field({
      type: [CountryEnum],
      nullable: true,
      description: 'You see only merchants of these countries. Null: no restriction.',
      resolve: ({ countries }) => countries && [...countries],
    }),
    merchantIds: t.stringList({
      nullable: true,
      description: 'You see only these merchants. Null: no restriction.',
      resolve: ({ merchantIds }) => merchantIds && [...merchantIds],
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'The operator of the token in use.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => operatorOf(context),
  }),
);
