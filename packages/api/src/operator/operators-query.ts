import { operatorFilter, pageOperators } from '@tidegate/domain/lists';
import type { OperatorContext } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { CountryEnum, RoleEnum } from '../enums.ts';
import { connectionOf, pageOf } from '../paging.ts';
import { refuseRestricted } from '../platform-only.ts';
import { OperatorType } from './operator-type.ts';

const OperatorFilter = builder.inputType('OperatorFilter', {
  description: 'Which operators. What is left out does not narrow.',
  fields: (t) => ({
    role: t.field({ type: RoleEnum, description: 'With this role.' }),
    enabled: t.boolean({ description: 'Let in, or not.' }),
  }),
});

builder.queryField('operators', (t) =>
  t.connection({
    type: OperatorType,
    description: 'Operators by id. Role: admin.',
    authScopes: { roles: ['admin'] },
    args: {
      filter: t.arg({
        type: OperatorFilter,
        description: 'Which operators; left out: all.',
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
  description: 'Whoever asks, by the token that they ask with.',
  fields: (t) => ({
    operatorId: t.exposeString('operatorId', { description: 'Your id.' }),
    roles: t.field({ type: [RoleEnum], description: 'What you may do.', resolve: ({ roles }) => [...roles] }),
    countries: t.field({
      type: [CountryEnum],
      nullable: true,
      description: 'You see merchants of these countries alone; null: of all.',
      resolve: ({ countries }) => countries && [...countries],
    }),
    merchantIds: t.stringList({
      nullable: true,
      description: 'You see these merchants alone; null: all.',
      resolve: ({ merchantIds }) => merchantIds && [...merchantIds],
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'Who you are here.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => operatorOf(context),
  }),
);
