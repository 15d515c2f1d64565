import type { FieldProblem } from '../core/rejection.ts';
import type { ChannelMemory } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';
import { type ChannelAdapter, type ModeSettings, UnusableSettings } from './channel-adapter.ts';
import { withoutApi } from './channels-without-adapter.ts';
import { isPacked } from './credentials.ts';
import type { KnownChannel } from './find-channel.ts';

/** The settings of a channel that an operator entered. Settings that are left out stay unchanged. */
export interface GivenSettings {
  channelId: string;
  adapter: string;
  baseUrl?: string | undefined;
  credentials?: Readonly<Record<string, string>> | undefined;
  removedCredentials?: readonly string[] | undefined;
}

/**
 * Why a channel cannot have these settings, field by field, without any secret; empty: its adapter can use them. Who
 * enters them cannot open the credentials that are kept, so these are not checked again. Nor is what was missing before.
 * So such a channel can be fixed step by step. The adapter has to be installed. Calls nothing.
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
  const given = Object.entries(input.credentials ?? {});
  const readable = Object.fromEntries(given.filter(([, value]) => !isPacked(value)));
  const unread = new Set([
    ...keptNames(input, known),
    ...given.flatMap(([name, value]) => (isPacked(value) ? name : [])),
  ]);
  const problems = refusedBy(adapter, { channelId, baseUrl, credentials: readable });
  const entered = new Set([
    ...(input.baseUrl === undefined ? [] : ['baseUrl']),
    ...[...Object.keys(readable), ...(input.removedCredentials ?? [])].map(pathOf),
  ]);
  const isSame = known !== null && known.adapter === input.adapter && canKeepCredentials(input, known);
  // A problem that names no credential may be that of one that was not given here.
  const isOfUnread = ({ path }: FieldProblem) =>
    path === 'credentials' ? unread.size > 0 : unread.has(path.replace(/^credentials\./, ''));
  return problems.filter((problem) => entered.has(problem.path) || !(isSame || isOfUnread(problem)));
}

/** Whether the channel keeps its host and adapter. Only then are its stored credentials kept. */
export function canKeepCredentials({ adapter, baseUrl }: GivenSettings, known: KnownChannel): boolean {
  return adapter === known.adapter && originOf(baseUrl ?? known.baseUrl) === originOf(known.baseUrl);
}

/** What the adapter reads of a channel after a change, as far as it was entered and can be read. */
export function settingsAfter(input: GivenSettings, known: KnownChannel | null): ModeSettings {
  const given = Object.entries(input.credentials ?? {}).filter(([, value]) => !isPacked(value));
  return { baseUrl: input.baseUrl ?? known?.baseUrl ?? '', credentials: Object.fromEntries(given) };
}

/** The names of stored credentials that a channel keeps. */
export function keptNames(input: GivenSettings, known: KnownChannel | null): string[] {
  if (known === null || !canKeepCredentials(input, known)) return [];
  const gone = [...(input.removedCredentials ?? []), ...Object.keys(input.credentials ?? {})];
  return known.credentialNames.filter((name) => !gone.includes(name));
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
