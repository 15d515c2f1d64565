import { loadOperators } from '@tidegate/domain/lists';
import {
  countToDecide,
  maxToDecide,
  type OperatorContext,
  permittedOperations,
  type SignIn,
} from '@tidegate/domain/operators';
import { CountryEnum, RoleEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, type Environment, operatorOf } from '../graphql/context.ts';
import { OperationNameEnum } from '../operation/operation-names.ts';

const EnvironmentEnum = builder.enumType('Environment', {
  description: 'What this installation is for.',
  values: {
    SANDBOX: { value: 'sandbox', description: 'For tests. No real money moves.' },
    PRODUCTION: { value: 'production', description: 'Real money moves.' },
  } as const satisfies Record<Uppercase<Environment>, { value: Environment; description: string }>,
});

const SignInEnum = builder.enumType('SignIn', {
  description: 'How an operator signed in.',
  values: {
    TOKEN: { value: 'token', description: 'By a token of this service.' },
    OIDC: { value: 'oidc', description: 'Through the identity provider.' },
  } as const satisfies Record<Uppercase<SignIn>, { value: SignIn; description: string }>,
});

const counts = new WeakMap<ApiContext, Promise<number>>();

/** Counted once in a request, however often the field is asked for. */
function countOnce(operator: OperatorContext, _args: object, context: ApiContext): Promise<number> {
  const known = counts.get(context) ?? countToDecide(context.domain, operator);
  counts.set(context, known);
  return known;
}

const Me = builder.objectRef<OperatorContext>('Me').implement({
  description: 'The operator of the token in use.',
  fields: (t) => ({
    operatorId: t.exposeString('operatorId', { description: 'Your operator id.' }),
    name: t.string({
      description: 'Your full name.',
      resolve: async ({ operatorId }, _args, { domain }) => {
        const [operator] = await loadOperators(domain, [operatorId]);
        return operator?.name ?? operatorId;
      },
    }),
    roles: t.field({ type: [RoleEnum], description: 'Your roles.', resolve: ({ roles }) => [...roles] }),
    operations: t.field({
      type: [OperationNameEnum],
      description: 'Operations that you may request. Some need a second operator. Each request is checked again.',
      resolve: (operator) => permittedOperations(operator),
    }),
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
    approvalsToDecide: t.int({
      description: `Number of pending approvals that you may decide, at most ${maxToDecide}.`,
      resolve: countOnce,
    }),
    signIn: t.field({ type: SignInEnum, description: 'How you signed in.', resolve: ({ signIn }) => signIn }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Your token or session is valid until this time. Null: until it is revoked.',
      resolve: ({ expiresAt = null }) => expiresAt,
    }),
    environment: t.field({
      type: EnvironmentEnum,
      description: 'Whether this installation is a sandbox.',
      resolve: (_operator, _args, { environment }) => environment,
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
