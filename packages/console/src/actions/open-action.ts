import { useEffect } from 'react';
import { createStore } from '../state/store.ts';
import type { Action } from './action.ts';

interface OpenAction {
  readonly action: Action;
  /** Called after each try, to read again what the action may have changed. */
  readonly onDone: (() => void) | undefined;
  /** The button or menu that opened it. */
  readonly group: string | undefined;
}

/**
 * The action whose dialog is open. The shell shows the dialog, because the element that opened it, such as a row of a
 * list, may disappear meanwhile.
 */
export const openedAction = createStore<OpenAction | null>(null);

/**
 * The same action, made from the data that the page has read since. Undefined: the page has read nothing yet. Null: the
 * page no longer has the action.
 */
export const newestAction = createStore<Action | null | undefined>(undefined);

/** Opens the dialog of an action. `group`: as given to `useNewest`. */
export function openAction(action: Action, onDone?: () => void, group?: string): void {
  newestAction.set(undefined);
  openedAction.set({ action, onDone, group });
}

/**
 * Passes the current action to the open dialog, if one of these actions opened it. Labels are unique within `actions`.
 */
export function useNewest(group: string, actions: readonly Action[]): void {
  useEffect(() => {
    const opened = openedAction.get();
    if (opened?.group !== group) return;
    const newest = actions.find(({ label }) => label === opened.action.label) ?? null;
    if (newest !== opened.action) newestAction.set(newest);
  });
}
