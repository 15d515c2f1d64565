import { useEffect, useRef, useState } from 'react';
import { hasRunOut } from './session.ts';
import { useMe } from './use-me.ts';

/** What operators were typing when their sessions ran out. In the memory of this page alone. */
const kept = new Map<string, unknown>();
const MOST_KEPT = 20;

/**
 * State for what an operator types. If the session runs out meanwhile, the same operator finds it again after the next sign-in on this page. Signing out
 * keeps nothing. `name` says where it is typed, for example an action and its order.
 */
export function useTyped<Value>(name: string, first: () => Value): [Value, (value: Value) => void] {
  const { operatorId } = useMe();
  const key = `${operatorId} ${name}`;
  const [value, setValue] = useState<Value>(() => (kept.has(key) ? (kept.get(key) as Value) : first()));
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(
    () => () => {
      kept.delete(key);
      if (!hasRunOut()) return;
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      kept.set(key, latest.current);
    },
    [key],
  );
  return [value, setValue];
}
