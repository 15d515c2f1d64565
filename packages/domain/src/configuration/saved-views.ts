import { randomUUID } from 'node:crypto';
import type { EntityManager, InferEntity } from '@mikro-orm/postgresql';
import { boundedText, lineText, matchingText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { maySeeScreen, type Screen, screens } from '../core/screens.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { SavedViewRow } from '../database/entities/console.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { changeOwn, holdSettings } from './change-own.ts';

/** A query string of a screen, by a name. `changedAt` in Unix ms. */
export interface SavedView {
  viewId: string;
  ownerId: string;
  screen: Screen;
  name: string;
  query: string;
  shared: boolean;
  changedAt: number;
}

/** Views that one operator may own, and shared views of one screen. */
export const viewLimits = { ofOperator: 100, sharedOfScreen: 200 } as const;

const idOfView = boundedText(36, undefined, 'must be the id of a saved view').pipe(
  z.uuid('must be the id of a saved view'),
);

export const savedViewInput = z.strictObject({
  viewId: idOfView.nullish(),
  screen: z.enum(screens),
  name: lineText(80, 'must be a string of 1 to 80 characters'),
  query: matchingText(2_000, /^[!-~]{0,2000}$/, 'must be a query string of at most 2,000 visible ASCII characters'),
  shared: z.boolean(),
});
export type SavedViewInput = z.infer<typeof savedViewInput>;

type Row = InferEntity<typeof SavedViewRow>;

const screenRefused: Refused = { ok: false, rejection: 'forbidden', detail: 'you may not see this screen' };

/** The operator's own views of a screen by name, then those that others share. Refusal: forbidden, if they may not see the screen. */
export async function listSavedViews(
  { database }: DatabaseAccess,
  operator: OperatorContext,
  screen: Screen,
): Promise<Outcome<SavedView[]>> {
  if (!maySeeScreen(operator, screen)) return screenRefused;
  const em = database.unitOfWork();
  const orderBy = { name: 'asc', viewId: 'asc' } as const;
  const { operatorId: ownerId } = operator;
  const own = await em.find(SavedViewRow, { ownerId, screen }, { orderBy, limit: viewLimits.ofOperator });
  const ofOthers = { screen, shared: true, ownerId: { $ne: ownerId } };
  const shared = await em.find(SavedViewRow, ofOthers, { orderBy, limit: viewLimits.sharedOfScreen });
  return { ok: true, value: [...own, ...shared].map(viewOf) };
}

/**
 * Saves a view. With `viewId` it changes that view; without, it replaces the operator's own view of that screen and
 * name, or makes one. A shared view can be changed by its owner and by admins, and leaves an audit record.
 * Refusals: forbidden, view_not_found, view_exists, too_many_views.
 */
export async function saveView(
  domain: ChangeAccess,
  operator: OperatorContext,
  { viewId, ...settings }: SavedViewInput,
): Promise<Outcome<SavedView>> {
  if (!maySeeScreen(operator, settings.screen)) return screenRefused;
  const { screen, name, shared } = settings;
  const apply = async (within: ChangeTransaction, { found, known }: Found): Promise<Outcome<Row>> => {
    if (!found && viewId != null) return { ok: false, rejection: 'view_not_found' };
    const em = within.database.unitOfWork();
    const ownerId = found?.ownerId ?? operator.operatorId;
    if (known && found && known !== found) return { ok: false, rejection: 'view_exists' };
    const row = found ?? known;
    if (await areTooMany(em, { ownerId, row, settings })) return { ok: false, rejection: 'too_many_views' };
    const changed = { ...settings, changedAt: await databaseNow(em) };
    const saved = row
      ? em.assign(row, changed)
      : em.create(SavedViewRow, { viewId: randomUUID(), ownerId, ...changed });
    await em.persist(saved).flush();
    return { ok: true, value: saved };
  };
  const named = { screen, name };
  return changeView(domain, operator, { viewId: viewId ?? null, named, action: 'saveView', shared }, apply);
}

/** Deletes a view of one's own; admins also a shared one of others. Refusals: forbidden, view_not_found. */
export function deleteView(
  domain: ChangeAccess,
  operator: OperatorContext,
  viewId: string,
): Promise<Outcome<SavedView>> {
  const change = { viewId, named: null, action: 'deleteView', shared: false };
  return changeView(domain, operator, change, async (within, { found }) => {
    if (!found) return { ok: false, rejection: 'view_not_found' };
    await within.database.unitOfWork().remove(found).flush();
    return { ok: true, value: found };
  });
}

interface ViewChange {
  viewId: string | null;
  /** The name that the view is saved under; null: it is deleted. */
  named: Pick<SavedViewInput, 'screen' | 'name'> | null;
  action: string;
  /** Whether other operators see the result. */
  shared: boolean;
}

/** The views that a change refers to. */
interface Found {
  /** The view of the id. */
  found: Row | null;
  /** The view of the same owner that has the name already. */
  known: Row | null;
}

/**
 * Makes a change under the lock of the operator. A change that others see is recorded, and a change of a private view
 * is not.
 */
async function changeView(
  domain: ChangeAccess,
  operator: OperatorContext,
  { viewId, named, action, shared }: ViewChange,
  apply: (within: ChangeTransaction, about: Found) => Promise<Outcome<Row>>,
): Promise<Outcome<SavedView>> {
  const { operatorId } = operator;
  const attempt = async (
    within: ChangeTransaction,
    isRecorded: boolean,
  ): Promise<Outcome<Row> | 'has to be recorded'> => {
    await holdSettings(within, operatorId);
    const found = await findToChange(within, operator, viewId);
    if (!found.ok) return found;
    const ownerId = found.value?.ownerId ?? operatorId;
    const known = named && (await within.database.unitOfWork().findOne(SavedViewRow, { ownerId, ...named }));
    const wasShared = (found.value ?? known)?.shared === true;
    return wasShared && !isRecorded ? 'has to be recorded' : apply(within, { found: found.value, known });
  };
  const alone = shared ? 'has to be recorded' : await changeOwn(domain, (within) => attempt(within, false));
  if (alone !== 'has to be recorded') return alone.ok ? { ok: true, value: viewOf(alone.value) } : alone;
  const by = { actor: operatorId, approver: null, reason: 'a shared view of the console' };
  return changeConfiguration(domain, { tenant: platformTenant, change: action }, by, async (within) => {
    const done = await attempt(within, true);
    if (done === 'has to be recorded') throw new Error('a recorded change is always made');
    if (!done.ok) return done;
    const value = viewOf(done.value);
    // The query may name a payer, and audit records are permanent.
    const fields = ['ownerId', 'screen', 'name', 'shared'];
    return { ok: true, value: { subject: `view ${value.name}`, entity: done.value, fields, value } };
  });
}

/**
 * The view to change, if this operator may change it; null if none is named. A view that they may not see is reported
 * as not found.
 */
async function findToChange(
  within: ChangeTransaction,
  operator: OperatorContext,
  viewId: string | null,
): Promise<Outcome<Row | null>> {
  if (viewId === null) return { ok: true, value: null };
  const absent = { ok: false, rejection: 'view_not_found' } as const;
  if (!idOfView.safeParse(viewId).success) return absent;
  const found = await within.database.unitOfWork().findOne(SavedViewRow, { viewId });
  if (!found || !maySeeScreen(operator, found.screen)) return absent;
  if (found.ownerId === operator.operatorId) return { ok: true, value: found };
  if (!found.shared) return absent;
  if (hasRole(operator, ['admin'])) return { ok: true, value: found };
  return { ok: false, rejection: 'forbidden', detail: 'only its owner or an admin can change a shared view' };
}

/** Counted under the lock of the owner, and for shared views under that of the platform: so two at once cannot both pass. */
async function areTooMany(
  em: EntityManager,
  { ownerId, row, settings }: { ownerId: string; row: Row | null; settings: Omit<SavedViewInput, 'viewId'> },
): Promise<boolean> {
  if (!row && (await em.count(SavedViewRow, { ownerId })) >= viewLimits.ofOperator) return true;
  const { screen, shared } = settings;
  if (!shared || (row?.shared && row.screen === screen)) return false;
  return (await em.count(SavedViewRow, { screen, shared: true })) >= viewLimits.sharedOfScreen;
}

function viewOf({ viewId, ownerId, screen, name, query, shared, changedAt }: Row): SavedView {
  return { viewId, ownerId, screen, name, query, shared, changedAt: changedAt.getTime() };
}
