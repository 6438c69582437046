import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv-8/dist/2020.js';

const FOLDER = join(import.meta.dirname, '../../../dist/docs/schemas');
// That they are schemas is held by test/schemas.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
const known = new Map<string, ValidateFunction>();

/** Beside the members that their schemas name stand those that a mock answers, or what a program needs to choose. */
const OPEN = [
  'agent-auth.error/1',
  'agent-auth.mock-registration/1',
  'agent-auth.mock-trust/1',
  'agent-auth.demo-exchange/1',
  'agent-auth.proxy-exchange/1',
];

/**
 * Holds what a run printed with `--json` against the JSON Schemas that the package publishes. The schemas are open
 * for what later versions add; here a member that they do not name is refused.
 *
 * @throws Error naming what differs, or that nothing was there to be held.
 */
export function checkPublished(stdout: string): void {
  const lines = [...stdout.matchAll(/^\{"schema":"(agent-auth\.[^"]+)".*\}$/gm)];
  if (lines.length === 0) throw new Error(`No line names its schema:\n${stdout.slice(0, 600)}`);
  for (const [line, id = ''] of lines) {
    const validate = known.get(id) ?? compiled(id);
    known.set(id, validate);
    if (validate(JSON.parse(line))) continue;
    throw new Error(
      `${id} is not what dist/docs/schemas says: ${whatDiffers(validate)} (npm run build)\n${line.slice(0, 600)}`,
    );
  }
}

function whatDiffers({ errors }: ValidateFunction): string {
  const unnamed = (errors ?? []).flatMap(({ instancePath, params }) => {
    const name: unknown = params['unevaluatedProperty'];
    return name === undefined ? [] : [`${instancePath}/${name}`];
  });
  return [ajv.errorsText(errors), ...unnamed].join(', ');
}

function compiled(id: string): ValidateFunction {
  const name = `output-${id.replace('agent-auth.', '').replace('/', '-')}.json`;
  return ajv.compile(
    closed(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')), OPEN.includes(id)),
  );
}

/** The same schema, in which an object has no more members than the schema and its alternatives name. */
function closed<T>(schema: T, isLeftOpen = false): T {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, isLeftOpen)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.entries(schema).map(([key, value]) => [
    key,
    closed(value, key === 'anyOf'),
  ]);
  const namesMembers =
    Array.isArray(Object(schema).anyOf) ||
    (Object(schema).type === 'object' && 'properties' in schema);
  return {
    ...(namesMembers && !isLeftOpen && { unevaluatedProperties: false }),
    ...Object.fromEntries(inside),
  };
}
