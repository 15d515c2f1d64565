import { hasRole, type OperatorContext, type Role, roles } from './operator-rights.ts';

/** Who may see a screen of the operators' console. */
interface ScreenRights {
  roles: readonly Role[];
  /** The screen shows data that belongs to no merchant: only operators without a restriction may see it. */
  isPlatform: boolean;
}

const forEverybody: ScreenRights = { roles, isPlatform: false };

/** The screens with saved views and columns, and the rights of the queries that they show. */
export const screenRights = {
  home: forEverybody,
  orders: forEverybody,
  cases: forEverybody,
  stuck_payouts: forEverybody,
  payout_tasks: forEverybody,
  approvals: forEverybody,
  notifications: forEverybody,
  merchants: forEverybody,
  wallets: forEverybody,
  channels: forEverybody,
  reconciliation: forEverybody,
  settlements: forEverybody,
  audit_log: forEverybody,
  findings: forEverybody,
  queues: { roles, isPlatform: true },
  operators: { roles: ['admin'], isPlatform: true },
} as const satisfies Record<string, ScreenRights>;

export type Screen = keyof typeof screenRights;

export const screens = Object.keys(screenRights) as [Screen, ...Screen[]];

/** Whether an operator may see a screen. What the screen shows is checked again by each query. */
export function maySeeScreen(
  operator: Pick<OperatorContext, 'roles' | 'countries' | 'merchantIds'>,
  screen: Screen,
): boolean {
  const { roles: needed, isPlatform }: ScreenRights = screenRights[screen];
  const isRestricted = operator.countries !== null || operator.merchantIds !== null;
  return hasRole(operator, needed) && !(isPlatform && isRestricted);
}
