import { createContext, useContext } from 'react';
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
