// Reads statements of providers and banks into lines.

export { csvProfiles } from './csv/profiles.ts';
export { findFormat, formats, formatsWithin } from './formats.ts';
export { defaultLimits, type Limits } from './reading/limits.ts';
