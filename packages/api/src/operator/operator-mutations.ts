import { addOperation } from '../operation/operation-field.ts';
import { OperatorType } from './operator-type.ts';

for (const name of ['createOperator', 'changeOperator', 'disableOperator', 'enableOperator'] as const)
  addOperation(name, (t) => ({
    operator: t.field({
      type: OperatorType,
      description: 'The operator as they are then.',
      resolve: ({ value }) => value.operatorId,
    }),
  }));

addOperation('createOperatorToken', (t) => ({
  operator: t.field({ type: OperatorType, description: 'Whose it is.', resolve: ({ value }) => value.operatorId }),
  token: t.string({
    description: 'The token itself: nobody ever sees it again.',
    resolve: ({ value }) => value.token,
  }),
  tokenId: t.string({ description: 'What to revoke it by.', resolve: ({ value }) => value.tokenId }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Until when it lets them in; null: until it is revoked.',
    resolve: ({ value }) => value.expiresAt,
  }),
}));

addOperation('revokeOperatorTokens', (t) => ({
  operator: t.field({ type: OperatorType, description: 'Whose they were.', resolve: ({ value }) => value.operatorId }),
  tokenIds: t.stringList({ description: 'What was revoked.', resolve: ({ value }) => value.tokenIds }),
}));
