import { cn2026 } from './cn-2026.ts';
import { cn2027 } from './cn-2027.ts';
import type { HolidayYear } from './holiday-year.ts';
import { in2026 } from './in-2026.ts';
import { in2027 } from './in-2027.ts';
import { pk2026 } from './pk-2026.ts';
import { pk2027 } from './pk-2027.ts';
import { th2026 } from './th-2026.ts';
import { th2027 } from './th-2027.ts';

/** Years that are known. For a year without a file nothing is computed. */
export const holidayYears: readonly HolidayYear[] = [cn2026, cn2027, in2026, in2027, pk2026, pk2027, th2026, th2027];
