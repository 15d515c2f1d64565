import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width of a list in whole rem, also after the window has changed. */
export function useListWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const rem = Number.parseFloat(getComputedStyle(current.ownerDocument.documentElement).fontSize);
    const measure = () => setWidth(Math.floor(current.clientWidth / rem));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
