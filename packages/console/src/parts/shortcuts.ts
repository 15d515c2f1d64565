import { useEffect, useEffectEvent } from 'react';

/** Whether a key goes into a field, or belongs to the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    target !== null &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  );
}

/** The time within which the second key of `g o` has to follow. */
const CHORD_MS = 1_500;

/** Listens to single keys (`/`, `?`) and to two after each other (`g o`). */
export function useShortcuts(press: (keys: string) => boolean): void {
  const take = useEffectEvent(press);
  useEffect(() => {
    let first = '';
    let since = 0;
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || window.document.querySelector('[role=dialog]')) return;
      const isSecond = first !== '' && event.timeStamp - since < CHORD_MS;
      const keys = isSecond ? `${first} ${event.key}` : event.key;
      first = !isSecond && event.key === 'g' ? 'g' : '';
      since = event.timeStamp;
      if (take(keys)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
