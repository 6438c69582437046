import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv-8/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../src/cli/shell/schemas.ts';
import { readRequirements } from '../../src/conformance/engine/read-requirements.ts';
import { type JsonObject, WIRE_SCHEMA_NAMES } from '../../src/protocol/index.ts';
import { checkPublished } from '../cli/support/check-published.ts';

const DOCS = join(import.meta.dirname, '../../dist/docs');
const names = readdirSync(join(DOCS, 'schemas'));
const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(DOCS, 'schemas', name), 'utf8'));

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

function validatorOf(name: string) {
  const schema = read(name);
  return ajv.getSchema(String(schema['$id'])) ?? ajv.compile(schema);
}

describe('the published JSON Schemas', () => {
  it.each(names)('%s is a schema with an id, a title and a description', (name) => {
    const { $id, $schema, description, title } = read(name);
    expect($id).toBe(`urn:agent-auth:schema:${name.replace('.json', '')}`);
    expect($schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect([title, description].every((text) => typeof text === 'string' && text !== '')).toBe(
      true,
    );
    expect(validatorOf(name)).toBeTypeOf('function');
  });

  it('are of every message, every result and every file, and of nothing else', () => {
    const outputs = Object.values(SCHEMAS).map(
      (id) => `output-${id.replace('agent-auth.', '').replace('/', '-')}`,
    );
    const files = [
      'credentials',
      'mock-config',
      'conformance-baseline',
      'transcript',
      'requirements',
    ];
    const errors = ['registration-error', 'oauth-error', 'event-error'];
    const all = [...WIRE_SCHEMA_NAMES, ...errors, ...files, ...outputs];
    expect(names).toEqual(all.map((name) => `${name}.json`).toSorted());
  });

  it('take what the program prints, and nothing else', () => {
    const version = { schema: 'agent-auth.version/1', version: '1.0.0', node: '20.0.0' };
    const line = (value: object) => `${JSON.stringify(value)}\n`;
    expect(() => checkPublished(line(version))).not.toThrow();
    expect(() => checkPublished(line({ ...version, node: 20 }))).toThrow('node must be string');
    expect(() => checkPublished(line({ ...version, os: 'linux' }))).toThrow('/os');
    expect(() => checkPublished(JSON.stringify({ version }))).toThrow('No line names its schema');
    const error = { schema: 'agent-auth.error/1', error: { code: 'x' } };
    expect(() => checkPublished(line(version) + line(error))).toThrow('required');
  });

  it('take the requirement catalogue, and no other list', () => {
    const validate = validatorOf('requirements.json');
    expect(validate(readRequirements())).toBe(true);
    expect(validate([{ id: 'TOK-01' }])).toBe(false);
  });

  it('take the configuration that the docs show', () => {
    const validate = validatorOf('mock-config.json');
    expect(validate({ port: 4800, service_name: 'Shop', users: [{ email: 'a@b.test' }] })).toBe(
      true,
    );
    expect(validate({ port: 'http' })).toBe(false);
  });
});
