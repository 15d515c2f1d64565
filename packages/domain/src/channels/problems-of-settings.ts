import type { FieldProblem } from '../core/rejection.ts';
import type { ChannelMemory } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';
import { type ChannelAdapter, UnusableSettings } from './channel-adapter.ts';
import { withoutApi } from './channels-without-adapter.ts';
import type { KnownChannel } from './find-channel.ts';

/** The settings of a channel that an operator entered. Settings that are left out stay unchanged. */
interface GivenSettings {
  channelId: string;
  adapter: string;
  baseUrl?: string | undefined;
  credentials?: Readonly<Record<string, string>> | undefined;
  removedCredentials?: readonly string[] | undefined;
}

/**
 * Why a channel cannot have these settings, field by field, without any secret; empty: its adapter can use them. What
 * was stored unusable before does not count, unless it is entered again. So such a channel can be fixed step by step.
 * The adapter has to be installed. Calls nothing.
 */
export function problemsOfSettings(
  { adapters }: Pick<ChannelAccess, 'adapters'>,
  input: GivenSettings,
  known: KnownChannel | null,
): FieldProblem[] {
  if (withoutApi.includes(input.adapter)) return problemsWithoutApi(input);
  const adapter = adapters[input.adapter];
  if (!adapter) throw new Error(`the adapter ${input.adapter} is not installed`);
  const missing = missingOf(input, known);
  if (missing.length > 0) return missing.map((path) => ({ path, reason: 'is missing' }));
  const unknown = unknownCredentials(adapter, input);
  if (unknown.length > 0) return unknown;
  const { channelId } = input;
  const baseUrl = input.baseUrl ?? known?.baseUrl ?? '';
  const after = refusedBy(adapter, { channelId, baseUrl, credentials: credentialsAfter(input, known) });
  const before =
    known?.credentials && known.adapter === input.adapter
      ? refusedBy(adapter, { channelId, baseUrl: known.baseUrl, credentials: known.credentials })
      : [];
  const entered = new Set([
    ...(input.baseUrl === undefined ? [] : ['baseUrl']),
    ...[...Object.keys(input.credentials ?? {}), ...(input.removedCredentials ?? [])].map(pathOf),
  ]);
  const wasThere = ({ path, reason }: FieldProblem) => before.some((old) => old.path === path && old.reason === reason);
  return after.filter((problem) => entered.has(problem.path) || !wasThere(problem));
}

/** Whether the channel has credentials and keeps its host and adapter. Only then are its stored credentials kept. */
export function canKeepCredentials({ adapter, baseUrl }: GivenSettings, known: KnownChannel): boolean {
  const isSameHost = originOf(baseUrl ?? known.baseUrl) === originOf(known.baseUrl);
  return known.credentials !== null && adapter === known.adapter && isSameHost;
}

/** The credentials that a channel has after a change. */
function credentialsAfter(input: GivenSettings, known: KnownChannel | null): Record<string, string> {
  const kept = known !== null && canKeepCredentials(input, known) ? Object.entries(known.credentials ?? {}) : [];
  const removed = input.removedCredentials ?? [];
  return { ...Object.fromEntries(kept.filter(([name]) => !removed.includes(name))), ...input.credentials };
}

const pathOf = (name: string): string => `credentials.${name}`;

/** Adapters without an API have neither address nor credentials. */
function problemsWithoutApi({ adapter, baseUrl = '', credentials = {} }: GivenSettings): FieldProblem[] {
  const reason = `is not for the adapter ${adapter}, which calls no API`;
  return [
    ...(baseUrl === '' ? [] : [{ path: 'baseUrl', reason }]),
    ...Object.keys(credentials).map((name) => ({ path: pathOf(name), reason })),
  ];
}

function missingOf(input: GivenSettings, known: KnownChannel | null): string[] {
  const hasUrl = (input.baseUrl ?? known?.baseUrl ?? '') !== '';
  const hasCredentials = input.credentials !== undefined || (known !== null && canKeepCredentials(input, known));
  return [...(hasUrl ? [] : ['baseUrl']), ...(hasCredentials ? [] : ['credentials'])];
}

/** A credential that the adapter does not read is most often a wrong name of one that it reads. */
function unknownCredentials(adapter: ChannelAdapter, { credentials = {} }: GivenSettings): FieldProblem[] {
  const names = adapter.credentials.map(({ name }) => name);
  const reason = `is not known to the adapter: it reads ${names.length === 0 ? 'none' : names.join(', ')}`;
  return Object.keys(credentials)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: pathOf(name), reason }));
}

interface Settings {
  channelId: string;
  baseUrl: string;
  credentials: Record<string, string>;
}

function refusedBy(adapter: ChannelAdapter, settings: Settings): readonly FieldProblem[] {
  try {
    adapter.open({ ...settings, memory: noMemory });
    return [];
  } catch (error) {
    if (error instanceof UnusableSettings) return error.problems;
    const prefix = `channel ${settings.channelId}: `;
    const message =
      error instanceof Error && error.message.startsWith(prefix) ? error.message.slice(prefix.length) : '';
    return [{ path: 'credentials', reason: `cannot be used${message === '' ? '' : `: ${message}`}` }];
  }
}

/** A channel that is only opened reads and stores nothing. */
const noMemory: ChannelMemory = { read: async () => null, remember: async (_key, value) => value };

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
