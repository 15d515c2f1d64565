import { SLOW_TEXT, useSlow } from '../state/slow.ts';
import { Notice } from './notice.tsx';

/** Says that a request takes longer than usual, while one does. */
export function SlowNotice() {
  return useSlow() && <Notice tone="info">{SLOW_TEXT}</Notice>;
}
