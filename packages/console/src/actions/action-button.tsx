import { Button, type ButtonProps, Menu, Tooltip } from '@mantine/core';
import { useId } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { Action } from './action.ts';
import styles from './actions.module.css';
import { openAction, useNewest } from './open-action.ts';
import { useWhyNot } from './operation.ts';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  action: Action;
  onDone?(): void;
}

/** A button that opens the dialog of an action. Where the action is not possible, it says why. */
export function ActionButton({ action, onDone, variant = 'default', size }: ActionButtonProps) {
  const whyNot = useWhyNot();
  const group = useId();
  useNewest(group, [action]);
  const why = whyNot(action.operation) ?? action.blocked ?? null;
  return (
    <Tooltip label={why} disabled={why === null} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant={variant}
        size={size}
        data-disabled={why !== null || undefined}
        aria-disabled={why !== null || undefined}
        onClick={() => why === null && openAction(action, onDone, group)}
      >
        {action.label}
      </Button>
    </Tooltip>
  );
}

/** Buttons of the actions that make sense now; the first that is possible is the usual one. */
export function ActionBar({ actions, onDone }: { actions: readonly Action[]; onDone?(): void }) {
  const whyNot = useWhyNot();
  const usual = actions.find(({ operation, blocked }) => (whyNot(operation) ?? blocked ?? null) === null) ?? actions[0];
  return actions
    .toReversed()
    .map((action) => (
      <ActionButton
        key={action.label}
        action={action}
        variant={action === usual ? 'filled' : 'default'}
        onDone={onDone}
      />
    ));
}

/** A menu of actions. Those that are not possible stay in it, with the reason. */
export function ActionMenu({ actions, onDone }: { actions: readonly Action[]; onDone?(): void }) {
  const whyNot = useWhyNot();
  const group = useId();
  useNewest(group, actions);
  const rows = actions.map((action) => ({ action, why: whyNot(action.operation) ?? action.blocked ?? null }));
  const sorted = [...rows.filter(({ why }) => why === null), ...rows.filter(({ why }) => why !== null)];
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={14} />}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorted.map(({ action, why }) => (
          <Menu.Item
            key={action.label}
            aria-disabled={why !== null || undefined}
            className={why !== null ? styles.blocked : action.isDangerous ? styles.dangerous : undefined}
            closeMenuOnClick={why === null}
            onClick={() => why === null && openAction(action, onDone, group)}
          >
            {action.label}
            {why !== null && <span className={styles.why}>{why}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
