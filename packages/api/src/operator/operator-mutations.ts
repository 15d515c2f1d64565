import { addOperation, addOperationForTwo } from '../operation/operation-field.ts';
import { OperatorType } from './operator-type.ts';

const description = 'The operator as they are then.';

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

// What the operator comes in with is shown to nobody: they redeem their own code.
addOperationForTwo('inviteOperator', () => ({}));

addOperation('revokeOperatorTokens', (t) => ({
  operator: t.field({ type: OperatorType, description: 'Whose they were.', resolve: ({ value }) => value.operatorId }),
  tokenIds: t.stringList({ description: 'What was revoked.', resolve: ({ value }) => value.tokenIds }),
}));
