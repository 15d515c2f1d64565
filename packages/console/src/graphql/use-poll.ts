import { useEffect, useEffectEvent } from 'react';

/** Calls `read` again and again while the page is in sight: for what no stream reports. Null: not now. */
export function usePoll(read: () => void, everyMs: number | null): void {
  const act = useEffectEvent(read);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => window.document.hidden || act(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
