import { addOperation, addOperationForTwo } from '../operation/operation-field.ts';
import { OperatorType } from './operator-type.ts';

const description = 'The operator as they are then.';

addOperation('disableOperator', (t) => ({
  operator: t.field({ type: OperatorType, description, resolve: ({ value }) => value.operatorId }),
}));

for (const name of ['createOperator', 'changeOperator', 'enableOperator'] as const)
  addOperationForTwo(name, (t) => ({
    operator: t.field({
      type: OperatorType,
      nullable: true,
      description,
      resolve: ({ value }) => value?.operatorId ?? null,
    }),
  }));

// The token itself is in the answer to `approve`.
addOperationForTwo('createOperatorToken', () => ({}));

addOperation('revokeOperatorTokens', (t) => ({
  operator: t.field({ type: OperatorType, description: 'Whose they were.', resolve: ({ value }) => value.operatorId }),
  tokenIds: t.stringList({ description: 'What was revoked.', resolve: ({ value }) => value.tokenIds }),
}));
