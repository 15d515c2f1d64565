import { type RefObject, useEffect } from 'react';
import { isTyping } from '../parts/shortcuts.ts';

/** `j` and `k` move the focus from row to row. Enter then follows the row's link. */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || (event.key !== 'j' && event.key !== 'k')) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('tr a') ?? [])].filter(
        (link, i, all) => link.closest('tr') !== all[i - 1]?.closest('tr'),
      );
      const at = links.findIndex((link) => link.closest('tr')?.contains(window.document.activeElement));
      links[event.key === 'j' ? at + 1 : Math.max(0, at - 1)]?.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [body]);
}
