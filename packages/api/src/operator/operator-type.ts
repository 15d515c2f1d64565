import { loadOperators, type OperatorRecord } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { CountryEnum, RoleEnum } from '../enums.ts';
import { loaded } from '../loaded.ts';

/** An operator, by their id. Only admins get hold of one. */
export const OperatorType = builder.loadableNodeRef('Operator', {
  id: { resolve: ({ operatorId }: OperatorRecord) => operatorId },
  // Operators are the whole platform's: one who is restricted has hold of nobody.
  load: async (ids: string[], context) => {
    const { countries, merchantIds } = operatorOf(context);
    const isRestricted = countries !== null || merchantIds !== null;
    return loaded(isRestricted ? ids.map(() => null) : await loadOperators(context.domain, ids));
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
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were created.' }),
  }),
});
