import { Kbd, Modal } from '@mantine/core';
import { navigation } from './navigation.ts';
import styles from './shell.module.css';

const OTHERS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'Search orders'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['Enter', 'Open the row'],
  ['f', 'First filter of a list'],
  ['Ctrl Enter', 'Send what a dialog asks for'],
  ['Esc', 'Close, or leave the search'],
  ['?', 'Show this list'],
];

/** All keys and what they do. */
export function ShortcutsHelp({ isOpen, close }: { isOpen: boolean; close(): void }) {
  const rows = [
    ...navigation.map(({ key, label }) => [`g ${key}`, `Go to ${label.toLowerCase()}`] as const),
    ...OTHERS,
  ];
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="sm">
      <dl className={styles.shortcuts}>
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
