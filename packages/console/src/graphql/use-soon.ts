import { useEffect, useRef } from 'react';

/** The time within which several calls count as one. */
const PAUSE_MS = 600;

/** A function that calls `run` a moment later, once for all calls until then. */
export function useSoon(run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const act = useRef(run);
  useEffect(() => {
    act.current = run;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      act.current();
    }, PAUSE_MS);
  };
}
