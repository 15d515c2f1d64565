import type { ActionValues } from '../actions/action.ts';
import type { SetChannelInput } from '../generated/documents.generated.ts';

/** What was typed about the credentials of a channel. Values that are set are known only to the dialog. */
export interface CredentialChanges {
  /** New values of credentials that the channel has, by name. Empty: it stays as it is. */
  readonly values: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  readonly added: readonly { readonly name: string; readonly value: string }[];
}

const NONE: CredentialChanges = { values: {}, removed: [], added: [] };

/** Reads the text that a field of a dialog keeps. */
export function readChanges(text: string): CredentialChanges {
  return text === '' ? NONE : JSON.parse(text);
}

interface Shown {
  channelId: string;
  adapter: string;
  /** Null: a restricted operator does not see it. */
  baseUrl: string | null;
  payinExpirySeconds: number;
}

/** The settings that were changed in a dialog. Others are not sent, and stay. */
export function changedChannel(channel: Shown, typed: ActionValues): SetChannelInput {
  const { channelId, adapter } = channel;
  const { values, removed, added } = readChanges(typed.credentials ?? '');
  const baseUrl = typed.baseUrl?.trim() ?? '';
  const seconds = typed.payinExpirySeconds?.trim() ?? '';
  const set = [
    ...Object.entries(values).filter(([name, value]) => value !== '' && !removed.includes(name)),
    ...added.filter(({ name, value }) => name.trim() !== '' || value !== '').map(({ name, value }) => [name, value]),
  ].map(([name = '', value = '']) => [name.trim(), value.replace(/^[\r\n]+|[\r\n]+$/g, '')]);
  return {
    ...{ channelId, adapter },
    ...(baseUrl !== '' && baseUrl !== channel.baseUrl && { baseUrl }),
    ...(seconds !== '' && seconds !== String(channel.payinExpirySeconds) && { payinExpirySeconds: Number(seconds) }),
    ...(set.length > 0 && { credentials: Object.fromEntries(set) }),
    ...(removed.length > 0 && { removedCredentials: [...removed] }),
  };
}

/** Whether the address leads to another host. Credentials that are not typed again are then removed. */
export function isOtherHost(channel: Pick<Shown, 'baseUrl'>, typed: ActionValues): boolean {
  const baseUrl = typed.baseUrl?.trim() ?? '';
  return baseUrl !== '' && originOf(baseUrl) !== originOf(channel.baseUrl);
}

function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null;
}
