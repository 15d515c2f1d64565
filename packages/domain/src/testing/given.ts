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

/** A state for a command: `given(wallet, order).when(command).gives(events or a rejection)`. */
export function given(wallet: Wallet, order: Order | null = null, more: Partial<State> = {}): Given {
  return new Given(stateOf(wallet, { order, transitionCount: order ? 1 : 0, ...more }));
}

/** A state and the events before it. Frozen, so a decision that changes its input throws. */
export class Given {
  readonly state: State;
  /** The events since the first state. */
  readonly events: readonly LedgerEvent[];
  /** The result of the last command: its events, or its rejection. */
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

  /** The rejection of the last command; null if it was accepted. */
  get refusal(): Rejection | null {
    return typeof this.last === 'string' ? this.last : null;
  }

  when(command: Command, context: Context = at(noon)): Given {
    const decided = decide(this.state, deepFreeze(command), context);
    if (typeof decided === 'string') return new Given(this.state, this.events, decided);
    expect(decided.events.reduce(evolve, this.state)).toEqual(decided.state);
    return new Given(decided.state, [...this.events, ...decided.events], decided.events);
  }

  /** Applies a channel's report about the order. It cannot be rejected. */
  whenReported(answer: ChannelAnswer, during: ApplyReport['during'] = 'callback', now = noon): Given {
    const { merchantId, orderNo, channelId } = this.order;
    const ref = { merchantId, orderNo };
    const reported = this.when({ type: 'applyReport', ref, channelId, answer, during }, at(now));
    if (reported.refusal) throw new Error(reported.refusal);
    return reported;
  }

  /** Applies several reports, one after the other. */
  whenReportedEach(answers: readonly ChannelAnswer[], during: ApplyReport['during'] = 'callback', now = noon): Given {
    return answers.reduce((before: Given, answer) => before.whenReported(answer, during, now), this);
  }

  /** Expects the last command to be rejected with this reason, or to have these events with at least these fields. */
  gives(expected: Rejection | readonly object[]): Given {
    if (typeof expected === 'string') expect(this.last).toBe(expected);
    else expect(this.last).toMatchObject(expected);
    return this;
  }
}

/** The rows of one kind in events, e.g. `all(events, 'entry')`. */
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
