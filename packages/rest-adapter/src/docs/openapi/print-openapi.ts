import { writeFileSync } from 'node:fs';
import { openApiFile, printOpenApi } from './document.ts';

writeFileSync(openApiFile, printOpenApi());
