import { choices, period } from '../list/filters.ts';
import { entryTypeWords } from './entry-words.ts';

/** The filters of a wallet's statement. */
export const statementFilters = {
  period: period('Period'),
  types: choices('Type', entryTypeWords),
};
