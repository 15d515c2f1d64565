import { expect } from 'vitest';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { ApplyReport, Command } from '../core/commands.ts';
import { decide } from '../core/decide.ts';
import { evolve, type LedgerEvent } from '../core/events.ts';
import type { Order } from '../core/order.ts';
import type { Rejection } from '../core/rejection.ts';
import { type Context, type State, stateOf } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import { at, noon } from './on-paper.ts';

/** A state in which a command may be given: `given(wallet, order).when(command).gives(events or a rejection)`. */
export function given(wallet: Wallet, order: Order | null = null, more: Partial<State> = {}): Given {
  return new Given(stateOf(wallet, { order, transitionCount: order ? 1 : 0, ...more }));
}

/** A state, and what has led to it. Frozen: a decision that changes what it is given throws. */
export class Given {
  readonly state: State;
  /** What has happened since the first state. */
  readonly events: readonly LedgerEvent[];
  /** What the last command came to: its events, or why nothing happened. */
  readonly last: Rejection | readonly LedgerEvent[];

  constructor(state: State, events: readonly LedgerEvent[] = [], last: Given['last'] = []) {
    this.state = deepFreeze(state);
    this.events = events;
    this.last = last;
  }

  get order(): Order {
    if (!this.state.order) throw new Error('the state has no order');
    return this.state.order;
  }

  /** Why the last command was refused; null if it was not. */
  get refusal(): Rejection | null {
    return typeof this.last === 'string' ? this.last : null;
  }

  when(command: Command, context: Context = at(noon)): Given {
    const decided = decide(this.state, deepFreeze(command), context);
    if (typeof decided === 'string') return new Given(this.state, this.events, decided);
    expect(decided.events.reduce(evolve, this.state)).toEqual(decided.state);
    return new Given(decided.state, [...this.events, ...decided.events], decided.events);
  }

  /** When a channel says this of the order; it cannot be refused. */
  whenReported(answer: ChannelAnswer, during: ApplyReport['during'] = 'callback', now = noon): Given {
    const { merchantId, orderNo, channelId } = this.order;
    const ref = { merchantId, orderNo };
    const reported = this.when({ type: 'applyReport', ref, channelId, answer, during }, at(now));
    if (reported.refusal) throw new Error(reported.refusal);
    return reported;
  }

  /** When it says all of this, one after the other. */
  whenReportedEach(answers: readonly ChannelAnswer[], during: ApplyReport['during'] = 'callback', now = noon): Given {
    return answers.reduce((before: Given, answer) => before.whenReported(answer, during, now), this);
  }

  /** Expects the last command to have been refused for this reason, or these events, each with at least these fields. */
  gives(expected: Rejection | readonly object[]): Given {
    if (typeof expected === 'string') expect(this.last).toBe(expected);
    else expect(this.last).toMatchObject(expected);
    return this;
  }
}

/** The rows of one kind that events carry, e.g. `all(events, 'entry')`. */
export function all<Name extends Carried>(events: readonly LedgerEvent[], name: Name): Carries<Name>[Name][] {
  return events.flatMap((event) => (name in event ? [(event as Carries<Name>)[name]] : []));
}

type Carried = 'transition' | 'entry' | 'transfer' | 'payment' | 'opened' | 'closed' | 'notification' | 'record';
type Carries<Name extends Carried> = Extract<LedgerEvent, Record<Name, unknown>>;

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
