import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './parts.module.css';

/** A text with a button that copies it. `children` shows it in another way, for example as a link. */
export function Copyable({ text, what, children }: { text: string; what: string; children?: ReactNode }) {
  return (
    <span className={styles.copyable}>
      <span className={`${styles.copyText} mono`}>{children ?? text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Copies a text. `what` names it: `Copy order number`. A native button, because each row of a list has one. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), 1_500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  const label = { ready: `Copy ${what}`, copied: 'Copied', failed: 'The browser does not allow copying' }[state];
  return (
    <button type="button" className={styles.copy} aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} size={14} />
    </button>
  );
}
