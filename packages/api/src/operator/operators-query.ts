import { loadOperators, operatorFilter, pageOperators } from '@tidegate/domain/lists';
import { boundedText } from '@tidegate/settings/bounded-text';
import { RoleEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf } from '../graphql/paging.ts';
import { refuseRestricted } from '../graphql/platform-only.ts';
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

/** An operator's id. */
const operatorName = boundedText(64).min(1);

builder.queryField('operator', (t) =>
  t.field({
    type: OperatorType,
    nullable: true,
    description: 'One operator. Null if there is none with this id. Role: admin.',
    authScopes: { roles: ['admin'] },
    args: {
      operatorId: t.arg.string({ required: true, description: 'The operator id.', validate: { schema: operatorName } }),
    },
    resolve: async (_root, { operatorId }, context) => {
      refuseRestricted(operatorOf(context));
      const [operator] = await loadOperators(context.domain, [operatorId]);
      return operator ?? null;
    },
  }),
);
