// Reads statements of providers and banks into lines.

export { readCsvProfile } from './csv/profile-schema.ts';
export { csvProfiles } from './csv/profiles.ts';
export { findFormat, formats, formatsWithin } from './formats.ts';
export { importableFormats } from './importable-formats.ts';
export { defaultLimits, type Limits } from './limits.ts';
