import { cn2026 } from './cn-2026.ts';
import type { HolidayYear } from './holiday-year.ts';
import { in2026 } from './in-2026.ts';
import { pk2026 } from './pk-2026.ts';
import { th2026 } from './th-2026.ts';
import { th2027 } from './th-2027.ts';

/** Years that are known. For a year without a file nothing is computed. */
export const holidayYears: readonly HolidayYear[] = [cn2026, in2026, pk2026, th2026, th2027];
