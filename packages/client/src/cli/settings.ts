import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { COUNTRY_CODES, type Country, isCountry } from '../country.ts';
import { type Arguments, type Io, type Option, UsageProblem } from './command.ts';

/** The flags that all commands share which send a request. */
export const SETTINGS_OPTIONS = {
  settings: { type: 'string', value: 'FILE', help: 'a file with the settings below' },
  'base-url': { type: 'string', value: 'URL', help: 'the address of the service' },
  merchant: { type: 'string', value: 'NUMBER', help: 'your merchant number' },
  country: { type: 'string', value: 'CODE', help: COUNTRY_CODES },
  key: { type: 'string', value: 'FILE', help: 'your private key' },
  'allow-http': { type: 'boolean', help: 'allow http:// to another machine than this one' },
} as const satisfies Record<string, Option>;

/**
 * `baseUrl`, `merchantNo` and `privateKey` are functions: each throws a UsageProblem if the setting is missing.
 * Commands that do not need a setting do not ask for it.
 */
export interface Settings {
  baseUrl(): string;
  merchantNo(): string;
  /** PEM. */
  privateKey(): string;
  hasPrivateKey(): boolean;
  country: Country | undefined;
  allowHttp: boolean;
}

const DEFAULT_FILE = 'tidegate.json';

/**
 * Reads settings from flags, then the environment, then the file; the first value counts (see `--help`).
 * @throws UsageProblem for a bad file or country
 */
export function readSettings({ flags, switches }: Arguments, { env, err }: Io): Settings {
  const who = { merchant: flags.merchant ?? env.TIDEGATE_MERCHANT_NO, country: flags.country ?? env.TIDEGATE_COUNTRY };
  const ownKey = flags.key ?? env.TIDEGATE_PRIVATE_KEY_FILE ?? env.TIDEGATE_PRIVATE_KEY;
  const file = readSettingsFile(flags, env, { ...who, hasOwnKey: ownKey !== undefined });
  const need = (value: string | undefined, flag: string, variable: string): string => {
    if (value === undefined || value === '')
      throw new UsageProblem(`--${flag} is missing (or ${variable}, or a settings file)`);
    return value;
  };
  const keyFile = flags.key ?? env.TIDEGATE_PRIVATE_KEY_FILE;
  const keyText =
    keyFile === undefined ? (env.TIDEGATE_PRIVATE_KEY?.replaceAll('\\n', '\n') ?? file.privateKeyPem) : undefined;
  const keyPath = keyFile ?? (keyText === undefined ? file.privateKeyFile : undefined);
  return {
    baseUrl: () => need(flags['base-url'] ?? env.TIDEGATE_BASE_URL ?? file.baseUrl, 'base-url', 'TIDEGATE_BASE_URL'),
    merchantNo: () => need(who.merchant ?? file.merchantNo, 'merchant', 'TIDEGATE_MERCHANT_NO'),
    hasPrivateKey: () => keyText !== undefined || keyPath !== undefined,
    privateKey: () => keyText ?? readKeyFile(need(keyPath, 'key', 'TIDEGATE_PRIVATE_KEY_FILE'), err),
    country: readCountry(who.country ?? file.country),
    allowHttp: switches.has('allow-http'),
  };
}

interface SettingsFile {
  baseUrl?: string | undefined;
  merchantNo?: string | undefined;
  country?: string | undefined;
  /** A path relative to the folder of the settings file. */
  privateKeyFile?: string | undefined;
  /** Set only in a sandbox's file. */
  privateKeyPem?: string | undefined;
}

/** What flags and environment say about the merchant. */
interface Wanted {
  merchant: string | undefined;
  country: string | undefined;
  hasOwnKey: boolean;
}

function readSettingsFile(flags: Arguments['flags'], env: Io['env'], wanted: Wanted): SettingsFile {
  const named = flags.settings ?? env.TIDEGATE_SETTINGS;
  const path = named ?? DEFAULT_FILE;
  if (named === undefined && !existsSync(path)) return {};
  const value = parse(path);
  const text = (name: string): string | undefined => {
    const found = value[name];
    if (found !== undefined && typeof found !== 'string') throw new UsageProblem(`${path}: ${name} must be a string`);
    return found;
  };
  if (Array.isArray(value.merchants)) return ofSandbox(value.merchants, text('restUrl'), wanted, path);
  const keyFile = text('privateKeyFile');
  return {
    baseUrl: text('baseUrl'),
    merchantNo: text('merchantNo'),
    country: text('country'),
    privateKeyFile: keyFile === undefined ? undefined : resolve(dirname(path), keyFile),
  };
}

/**
 * Chooses a merchant of sandbox.json: the named one, or the first one of the country (default CN). A merchant that is
 * not in the file needs its own key.
 */
function ofSandbox(
  merchants: unknown[],
  baseUrl: string | undefined,
  { merchant, country, hasOwnKey }: Wanted,
  path: string,
): SettingsFile {
  const known = merchants.filter(isMerchant);
  const found = known.find((one) =>
    merchant === undefined ? one.country === (country ?? 'CN') : one.merchantNo === merchant,
  );
  if (found) return { ...found, baseUrl };
  if (merchant !== undefined && hasOwnKey) return { baseUrl };
  throw new UsageProblem(
    `${path} has no such merchant; it has ${known.map(({ merchantNo, country }) => `${merchantNo} (${country})`).join(', ')}. To use another merchant, pass --merchant and --key`,
  );
}

function isMerchant(value: unknown): value is { merchantNo: string; country: string; privateKeyPem: string } {
  const fields: Partial<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  return ['merchantNo', 'country', 'privateKeyPem'].every((name) => typeof fields[name] === 'string');
}

function parse(path: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new UsageProblem(
      `the settings file ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  throw new UsageProblem(`the settings file ${path} is not a JSON object`);
}

function readKeyFile(path: string, err: Io['err']): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      err(`Others on this machine can read ${path}: chmod 600 ${path}\n`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageProblem(`the key file ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function readCountry(code: string | undefined): Country | undefined {
  if (code === undefined || isCountry(code)) return code;
  throw new UsageProblem(`the country must be ${COUNTRY_CODES}, not ${code}`);
}
