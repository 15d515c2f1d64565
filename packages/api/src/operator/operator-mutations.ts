import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import { OperatorType } from './operator-type.ts';

const description = 'The operator after the operation.';

addOperation('disableOperator', (t) => ({
  operator: t.field({ type: OperatorType, description, resolve: ({ value }) => value.operatorId }),
}));

for (const name of ['createOperator', 'changeOperator', 'enableOperator', 'linkIdentity', 'unlinkIdentity'] as const)
  addOperationForTwo(name, (t) => ({
    operator: t.field({
      type: OperatorType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.operatorId ?? null,
    }),
  }));

// The API never shows a code or a token here: new operators redeem their own code.
addOperationForTwo('inviteOperator', () => ({}));

addOperation('revokeOperatorTokens', (t) => ({
  operator: t.field({
    type: OperatorType,
    description: 'Operator of the revoked tokens.',
    resolve: ({ value }) => value.operatorId,
  }),
  tokenIds: t.stringList({ description: 'Ids of the revoked tokens.', resolve: ({ value }) => value.tokenIds }),
}));
