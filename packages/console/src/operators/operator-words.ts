import { countryNames, type Word } from '../format/words.ts';

/** Whether an operator may sign in. */
export function enabledWord(isEnabled: boolean): Word {
  return isEnabled ? { label: 'May sign in', tone: 'good' } : { label: 'Disabled', tone: 'idle' };
}

/** Merchants that an operator sees. */
export function restrictionOf(operator: {
  countries: readonly string[] | null;
  merchantIds: readonly string[] | null;
}): string {
  const { countries, merchantIds } = operator;
  const parts = [
    countries && `merchants of ${countries.map((code) => countryNames[code] ?? code).join(', ')}`,
    merchantIds && `the merchants ${merchantIds.join(', ')}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'All merchants' : `Only ${parts.join(', and of these ')}`;
}
