import type { Country } from '../core/country.ts';
import type { EndedWatch } from '../core/ended-watch.ts';
import type { OrderKind } from '../core/order.ts';
import type { FieldProblem } from '../core/rejection.ts';
import type { ChannelFactory } from './channel.ts';

/** A secret or an identifier that an operator enters for a channel. All of them are stored sealed and never shown. */
export interface CredentialField {
  /** The key in `ChannelSettings.credentials`, in camelCase. */
  name: string;
  /** What the provider calls it, for example `Secret key`. */
  label: string;
  /** Whether it has to be hidden while it is typed. */
  isSecret: boolean;
  isRequired: boolean;
  /** The only values that it can have; left out: any. */
  choices?: readonly string[];
  /** One sentence: where the operator finds it at the provider. */
  help: string;
}

/** An installed adapter: what it carries, what an operator has to enter, and how its channels are made. */
export interface ChannelAdapter {
  /** The provider's own name, for people. */
  title: string;
  carries: readonly { country: Country; kind: OrderKind }[];
  /** The provider's addresses: for real money, and for tests with the provider. Null: it has no address of its own. */
  baseUrls: { live: string; test: string } | null;
  /** All credentials that it reads. */
  credentials: readonly CredentialField[];
  /**
   * Which ended orders are queried a few times more, because their outcome can still change at the provider and a
   * callback may be lost. Left out: none. At most one for each kind and end, with at most eight times within 31 days.
   * Known without settings, so that unusable ones end no watch.
   */
  readonly watchesEnded?: readonly EndedWatch[];
  open: ChannelFactory;
}

/** The installed adapters, by the adapter name of channel rows. */
export type ChannelAdapters = Readonly<Record<string, ChannelAdapter>>;

/** What is wrong with one setting: `baseUrl`, or a credential as `credentials.secretKey`. The reason has no secret. */
export type SettingProblem = FieldProblem;

/** Settings that an adapter cannot use. */
export class UnusableSettings extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(channelId: string, problems: readonly SettingProblem[]) {
    super(`channel ${channelId}: ${problems.map(({ path, reason }) => `${nameOf(path)} ${reason}`).join('; ')}`);
    this.name = 'UnusableSettings';
    this.problems = problems;
  }
}

function nameOf(path: string): string {
  return path === 'baseUrl' ? 'the base URL' : path.replace(/^credentials\./, '');
}
