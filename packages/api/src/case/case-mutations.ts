import { addOperation } from '../operation/operation-field.ts';
import { CaseType } from './case-type.ts';

for (const name of ['creditCase', 'returnCase'] as const)
  addOperation(name, (t) => ({
    case: t.field({ type: CaseType, description: 'The case as it is then.', resolve: ({ value }) => value }),
  }));
