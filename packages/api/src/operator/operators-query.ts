import { operatorFilter, pageOperators } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { RoleEnum } from '../enums.ts';
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
