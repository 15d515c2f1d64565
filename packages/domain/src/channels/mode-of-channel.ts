import {
  type ChannelMode,
  type DeclaredMode,
  modeOfParts,
  modeThatCounts,
  problemOfMode,
  type SeenMode,
} from '../core/environment.ts';
import type { FieldProblem } from '../core/rejection.ts';
import type { ChannelAccess } from './channel-access.ts';
import { modeOfPacked } from './credentials.ts';
import type { KnownChannel } from './find-channel.ts';
import { canKeepCredentials, type GivenSettings, keptNames, settingsAfter } from './problems-of-settings.ts';

/** What two operators say about an account whose mode cannot be seen. */
interface GivenDeclaration {
  declaredMode?: DeclaredMode | undefined;
  /** How they know it. */
  modeEvidence?: string | undefined;
}

/** The mode of a channel after a change, and whether its declaration is still about the same account. */
export interface ModeAfter {
  mode: ChannelMode;
  keepsDeclaration: boolean;
}

type Access = Pick<ChannelAccess, 'adapters' | 'environment'>;

/** The mode that a channel has after a change of its settings, by its adapter and its declaration. */
export function modeAfter(
  { adapters }: Pick<Access, 'adapters'>,
  input: GivenSettings & GivenDeclaration,
  known: KnownChannel | null,
): ModeAfter & { seen: ChannelMode } {
  const shown = adapters[input.adapter]?.modeOf(settingsAfter(input, known)) ?? 'unknown';
  const packedMode = Object.values(input.credentials ?? {}).flatMap((value) => modeOfPacked(value) ?? [])[0];
  // Credentials that are kept or packed cannot be read. Their mode was seen when they were entered.
  const before = packedMode ?? (keptNames(input, known).length > 0 ? (known?.seenMode ?? null) : null);
  const seen = modeOfParts(shown, before);
  const keepsDeclaration = known !== null && isSameAccount(input, known);
  const declared = input.declaredMode ?? (keepsDeclaration ? known.declaredMode : null);
  return { seen, mode: modeThatCounts(seen, declared), keepsDeclaration };
}

/** Why the environment refuses a channel with these settings, field by field; empty: it does not. */
export function problemsOfModeAfter(
  domain: Access,
  input: GivenSettings & GivenDeclaration,
  known: KnownChannel | null,
): FieldProblem[] {
  const { seen, mode } = modeAfter(domain, input, known);
  const { declaredMode, modeEvidence } = input;
  if ((declaredMode === undefined) !== (modeEvidence === undefined)) {
    const path = declaredMode === undefined ? 'declaredMode' : 'modeEvidence';
    return [{ path, reason: 'is missing: a declaration has a mode and its evidence' }];
  }
  if (declaredMode !== undefined && seen !== 'unknown')
    return [{ path: 'declaredMode', reason: `cannot be declared: key and host show that the account is ${seen}` }];
  const problem = problemOfMode(domain.environment, mode);
  if (problem === null) return [];
  return [{ path: mode === 'unknown' || declaredMode !== undefined ? 'declaredMode' : 'channelId', reason: problem }];
}

/** Neither key nor host change: a declaration is about one account. Credentials that are entered again count as changed. */
function isSameAccount(input: GivenSettings, known: KnownChannel): boolean {
  const isEntered = Object.keys(input.credentials ?? {}).length > 0 || (input.removedCredentials ?? []).length > 0;
  const isSameHost = (input.baseUrl ?? known.baseUrl) === known.baseUrl;
  return input.adapter === known.adapter && isSameHost && !isEntered && canKeepCredentials(input, known);
}

/** What is stored of the mode that was seen, for processes that cannot open all credentials. */
export function seenOf(mode: ChannelMode, input: GivenSettings, known: KnownChannel | null): SeenMode {
  return { mode, adapter: input.adapter, baseUrl: input.baseUrl ?? known?.baseUrl ?? '' };
}
