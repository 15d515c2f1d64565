import type { Command } from './commands.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';

/** The command of one type. */
export type CommandOf<Type extends Command['type'], One extends Command = Command> = One extends Command
  ? Type extends One['type']
    ? One
    : never
  : never;

/**
 * Decides one command: the story with what it does, or why it is refused. A repeated command gets the story as it is.
 * Inside, a step that may be impossible returns null (`Story`), and the command says what that means for it.
 */
export type Decider<Type extends Command['type']> = (story: Story, command: CommandOf<Type>) => Story | Rejection;

/** The deciders of one aggregate, by the types of its commands. */
export type Deciders<Type extends Command['type']> = { readonly [One in Type]: Decider<One> };
