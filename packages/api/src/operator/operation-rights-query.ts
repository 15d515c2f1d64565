import {
  type AnyOperation,
  type OperationName,
  operationNames,
  operations,
  type SecondOperatorRule,
  secondOperatorRule,
} from '@tidegate/domain/operators';
import { RoleEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { OperationNameEnum } from '../operation/operation-names.ts';

const SecondOperatorRuleEnum = builder.enumType('SecondOperatorRule', {
  description: 'When an operation needs a second operator.',
  values: {
    NEVER: { value: 'never', description: 'One operator is enough.' },
    ALWAYS: { value: 'always', description: 'Every request needs a second operator.' },
    ABOVE_LIMIT: { value: 'above_limit', description: 'Above the daily limit of the requester.' },
    DEPENDS: { value: 'depends', description: 'It depends on the input, as the summary says.' },
  } as const satisfies Record<Uppercase<SecondOperatorRule>, { value: SecondOperatorRule; description: string }>,
});

const operationOf = (name: OperationName): AnyOperation => operations[name];

const OperationRights = builder.objectRef<OperationName>('OperationRights').implement({
  description: 'Who may request an operation, and whether a second operator has to approve it.',
  fields: (t) => ({
    operation: t.field({ type: OperationNameEnum, description: 'The operation.', resolve: (name) => name }),
    summary: t.string({ description: 'What the operation does.', resolve: (name) => operationOf(name).summary }),
    roles: t.field({
      type: [RoleEnum],
      description: 'Any one of these roles may request and approve it.',
      resolve: (name) => [...operationOf(name).roles],
    }),
    secondOperator: t.field({
      type: SecondOperatorRuleEnum,
      description: 'Whether a second operator has to approve it.',
      resolve: (name) => secondOperatorRule(operationOf(name)),
    }),
    wholePlatform: t.boolean({
      description: 'Whether only operators without a restriction may request and approve it.',
      resolve: (name) => operationOf(name).isPlatform === true,
    }),
  }),
});

builder.queryField('operationRights', (t) =>
  t.field({
    type: [OperationRights],
    description: 'Who may do what: every operation with its roles. All operators may read it.',
    authScopes: { operator: true },
    resolve: () => operationNames,
  }),
);
