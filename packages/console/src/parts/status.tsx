import type { Word } from '../format/words.ts';
import styles from './parts.module.css';

/** A state in plain words. The colour only repeats what the words say. */
export function Status({ word }: { word: Word }) {
  return (
    <span className={styles.status} data-tone={word.tone}>
      {word.label}
    </span>
  );
}
