import type { Country } from '../core/country.ts';
import type { EndedWatch } from '../core/ended-watch.ts';
import type { ChannelMode } from '../core/environment.ts';
import type { OrderKind } from '../core/order.ts';
import type { PayeeProblem } from '../core/payee-problem.ts';
import type { FieldProblem } from '../core/rejection.ts';
import type { CredentialPurpose } from '../database/keys/purposes.ts';
import type { ChannelFactory, ChannelOrder, ChannelSettings } from './channel.ts';

/** A secret or an identifier that an operator enters for a channel. All of them are stored sealed and never shown. */
export interface CredentialField {
  /** The key in `ChannelSettings.credentials`, in camelCase. */
  name: string;
  /** What the provider calls it, for example `Secret key`. */
  label: string;
  /** Whether it has to be hidden while it is typed. */
  isSecret: boolean;
  isRequired: boolean;
  /**
   * What it is needed for. Each kind of process can open the credentials of its purposes only: the REST adapter those for
   * `payin` and `callback`. So a secret that can pay out or refund has `payout` alone, if the provider gives one for it.
   */
  purposes: readonly [CredentialPurpose, ...CredentialPurpose[]];
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
  /**
   * Whether an account with these settings is for real money or for tests, by key and host as the provider documents
   * them. Pure, and never throws, also for settings that `open` refuses. `unknown`: it cannot be seen there.
   */
  modeOf(settings: ModeSettings): ChannelMode;
  /**
   * What a channel can do beside orders, by the names of its credentials. Pure. The values are not needed: processes that
   * cannot open them offer the same to operators.
   */
  offers(credentialNames: readonly string[]): ChannelOffers;
  /**
   * What the provider cannot carry of a payout, as far as it is known before it is sent there. Pure. The merchant learns
   * it at the create, if no other channel can carry the payout. Left out: nothing is known.
   */
  problemOfPayee?(order: PayeeToCarry): PayeeProblem | null;
  open: ChannelFactory;
}

/** What a channel needs of a payee. */
export type PayeeToCarry = Pick<ChannelOrder, 'party' | 'amount' | 'currency'>;

/** What a channel can do beside orders. */
export interface ChannelOffers {
  /** Its channels have `refund` and `queryRefund`. */
  refunds: boolean;
  /** Names of the formats in which statements can be fetched, with `fetchStatement`; empty: none. */
  statements: readonly string[];
}

/** The settings from which an adapter states the mode of an account. */
export type ModeSettings = Pick<ChannelSettings, 'baseUrl' | 'credentials'>;

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
