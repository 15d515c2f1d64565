import { writeFileSync } from 'node:fs';
import { printApiSchema, schemaFile } from './schema.ts';

writeFileSync(schemaFile, printApiSchema());
