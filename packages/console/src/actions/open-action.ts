import { createStore } from '../preferences/store.ts';
import type { Action } from './action.ts';

interface OpenAction {
  readonly action: Action;
  /** Called after each try: read again what the action may have changed. */
  readonly onDone: (() => void) | undefined;
}

/** The action whose dialog is open. The shell shows it: what opened it, such as a row of a list, may go away meanwhile. */
export const openedAction = createStore<OpenAction | null>(null);

/** Opens the dialog of an action. */
export function openAction(action: Action, onDone?: () => void): void {
  openedAction.set({ action, onDone });
}
