import { useEffect } from 'react';
import { createStore } from '../preferences/store.ts';
import type { Action } from './action.ts';

interface OpenAction {
  readonly action: Action;
  /** Called after each try: read again what the action may have changed. */
  readonly onDone: (() => void) | undefined;
  /** The button or menu that opened it. */
  readonly group: string | undefined;
}

/** The action whose dialog is open. The shell shows it: what opened it, such as a row of a list, may go away meanwhile. */
export const openedAction = createStore<OpenAction | null>(null);

/** The same action by what the page below has read since. Undefined: nothing yet. Null: the page no longer has it. */
export const newestAction = createStore<Action | null | undefined>(undefined);

/** Opens the dialog of an action. `group`: as given to `useNewest`. */
export function openAction(action: Action, onDone?: () => void, group?: string): void {
  newestAction.set(undefined);
  openedAction.set({ action, onDone, group });
}

/** Tells the open dialog what its action is by now, if one of these opened it. Labels are unique within `actions`. */
export function useNewest(group: string, actions: readonly Action[]): void {
  useEffect(() => {
    const opened = openedAction.get();
    if (opened?.group !== group) return;
    const newest = actions.find(({ label }) => label === opened.action.label) ?? null;
    if (newest !== opened.action) newestAction.set(newest);
  });
}
