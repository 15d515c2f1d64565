import { createContext, useContext } from 'react';
import { countryNames } from '../format/words.ts';
import type { MeQuery } from '../generated/documents.generated.ts';

export type Me = NonNullable<MeQuery['me']>;

/** Who is signed in, within the shell. */
export const MeContext = createContext<Me | null>(null);

/** Who is signed in: id, roles and restrictions. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe is used outside of the shell');
  return me;
}

/** The codes of the countries that this operator may see. */
export function useOwnCountries(): string[] {
  const { countries } = useMe();
  return Object.keys(countryNames).filter((one) => countries === null || countries.some((may) => may === one));
}
