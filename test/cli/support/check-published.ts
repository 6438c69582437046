import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv-8/dist/2020.js';

const FOLDER = join(import.meta.dirname, '../../../dist/docs/schemas');
// That they are schemas is held by test/schemas.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
const known = new Map<string, ValidateFunction>();

/**
 * Holds what a run printed with `--json` against the JSON Schemas that the package publishes.
 * @throws Error naming what differs.
 */
export function checkPublished(stdout: string): void {
  for (const [line, id = ''] of stdout.matchAll(/^\{"schema":"(agent-auth\.[^"]+)".*\}$/gm)) {
    const validate = known.get(id) ?? compiled(id);
    known.set(id, validate);
    if (validate(JSON.parse(line))) continue;
    throw new Error(
      `${id} is not what dist/docs/schemas says: ${ajv.errorsText(validate.errors)} (npm run build)\n${line.slice(0, 600)}`,
    );
  }
}

function compiled(id: string): ValidateFunction {
  const name = `output-${id.replace('agent-auth.', '').replace('/', '-')}.json`;
  return ajv.compile(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
}
