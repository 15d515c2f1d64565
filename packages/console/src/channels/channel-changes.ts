import type { ActionValues } from '../actions/action.ts';
import type { SetChannelInput } from '../generated/documents.generated.ts';

/** The typed changes of the credentials of a channel. Existing values are known only to the dialog. */
export interface CredentialChanges {
  /** New values of credentials, by name. An empty value: the credential is not changed. */
  readonly values: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

const NONE: CredentialChanges = { values: {}, removed: [] };

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
  const { removed } = readChanges(typed.credentials ?? '');
  const credentials = typedCredentials(typed);
  const baseUrl = typed.baseUrl?.trim() ?? '';
  const seconds = typed.payinExpirySeconds?.trim() ?? '';
  return {
    channelId,
    adapter,
    ...(baseUrl !== '' && baseUrl !== channel.baseUrl && { baseUrl }),
    ...(seconds !== '' && seconds !== String(channel.payinExpirySeconds) && { payinExpirySeconds: Number(seconds) }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
    ...(removed.length > 0 && { removedCredentials: [...removed] }),
    ...typedDeclaration(typed),
  };
}

/** The settings of a channel that does not exist yet. */
export function newChannel(typed: ActionValues, hasApi: boolean): SetChannelInput {
  const { channelId = '', adapter = '', baseUrl = '', payinExpirySeconds = '' } = typed;
  return {
    channelId: channelId.trim(),
    adapter,
    ...(payinExpirySeconds.trim() !== '' && { payinExpirySeconds: Number(payinExpirySeconds) }),
    ...(hasApi && { baseUrl: baseUrl.trim(), credentials: typedCredentials(typed) }),
    ...typedDeclaration(typed),
  };
}

/** What is declared about the account; nothing if the field was left. */
function typedDeclaration({ declaredMode = '', modeEvidence = '' }: ActionValues): Partial<SetChannelInput> {
  const mode = declaredMode === 'LIVE' || declaredMode === 'TEST' ? declaredMode : null;
  return {
    ...(mode && { declaredMode: mode }),
    ...(modeEvidence.trim() !== '' && { modeEvidence: modeEvidence.trim() }),
  };
}

/** The credentials that have a value, without line breaks around it. */
function typedCredentials({ credentials = '' }: ActionValues): Record<string, string> {
  const { values, removed } = readChanges(credentials);
  const set = Object.entries(values).filter(([name, value]) => value !== '' && !removed.includes(name));
  return Object.fromEntries(set.map(([name, value]) => [name, value.replace(/^[\r\n]+|(?<![\r\n])[\r\n]+$/g, '')]));
}

/** Whether the URL is of another host. Credentials that are not typed again are then removed. */
export function isOtherHost(channel: Pick<Shown, 'baseUrl'>, typed: ActionValues): boolean {
  const baseUrl = typed.baseUrl?.trim() ?? '';
  return baseUrl !== '' && originOf(baseUrl) !== originOf(channel.baseUrl);
}

function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null;
}
