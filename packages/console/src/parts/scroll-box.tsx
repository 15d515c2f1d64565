import { type ReactNode, useEffect, useRef, useState } from 'react';

/** A box whose content may be wider. If nothing in it takes the focus, the box does, so that keys can move it. */
export function ScrollBox({ className, children }: { className: string | undefined; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isStop, setStop] = useState(false);
  useEffect(() => {
    const now = box.current;
    setStop(now !== null && now.scrollWidth > now.clientWidth && now.querySelector('a, button, input') === null);
  });
  return (
    <div ref={box} className={className} tabIndex={isStop ? 0 : undefined}>
      {children}
    </div>
  );
}
