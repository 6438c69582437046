import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { importSource } from '../docs/import-source.js';
import { programSchemas } from './program-schemas.js';

/** @typedef {import('./type-schema.js').JsonSchema} JsonSchema */

/**
 * @typedef {object} Published
 * @property {string} name of the file, without its ending
 * @property {'wire' | 'file' | 'output'} kind
 * @property {JsonSchema} schema
 */

const META = 'https://json-schema.org/draft/2020-12/schema';

/** What the program prints without a rendering. */
const WRITTEN = {
  version: object({ version: { type: 'string' }, node: { type: 'string' } }),
  debug: {
    type: 'object',
    properties: {
      method: { type: 'string' },
      address: { type: 'string' },
      proxy: { type: ['string', 'null'] },
      ms: { type: 'number' },
    },
  },
  error: object({
    error: object({
      code: {
        type: 'string',
        description: 'What happened, for programs: a stable name in snake_case.',
      },
      message: {
        type: 'string',
        description: 'What happened and what the state is now, for people.',
      },
      hint: { type: ['string', 'null'], description: 'What to do, as a sentence.' },
      next: {
        anyOf: [
          { type: 'null' },
          object({
            argv: { type: 'array', items: { type: 'string' } },
            line: { type: 'string' },
            needs: { type: 'array', items: { type: 'string' } },
          }),
        ],
        description: 'The command to run next.',
      },
      retryable: {
        type: 'boolean',
        description: 'Whether the same command can succeed later without any change.',
      },
      exit_code: { type: 'integer', description: 'The exit code of the command.' },
    }),
  }),
};

/** @param {Record<string, JsonSchema>} properties all of them required */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/**
 * Every JSON Schema that the package publishes.
 *
 * @param {string} root of the project
 * @returns {Promise<Published[]>}
 */
export async function publishedSchemas(root) {
  const { printed, types } = programSchemas(root);
  return [
    ...(await wireSchemas(root)),
    ...(await fileSchemas(root, types)),
    ...(await outputSchemas(root, printed)),
  ];
}

/**
 * @param {string} name
 * @param {Published['kind']} kind
 * @param {JsonSchema} schema
 * @returns {Published}
 */
function published(name, kind, { $schema: _own, $id: _id, ...schema }) {
  return { name, kind, schema: { $schema: META, $id: `urn:agent-auth:schema:${name}`, ...schema } };
}

/** @param {string} root */
async function wireSchemas(root) {
  const { WIRE_CODES, WIRE_SCHEMA_NAMES, wireJsonSchema } =
    /** @type {typeof import('../../src/protocol/index.ts')} */ (
      await importSource(root, 'src/protocol/index.ts')
    );
  const codesOf = (/** @type {readonly (keyof typeof WIRE_CODES)[]} */ ...surfaces) => [
    ...new Set(surfaces.flatMap((surface) => Object.keys(WIRE_CODES[surface]))),
  ];
  const text = { type: 'string' };
  const error = (
    /** @type {string} */ title,
    /** @type {string} */ of,
    /** @type {JsonSchema} */ body,
  ) => ({
    title,
    description: `${of} Other servers may have other codes.`,
    ...body,
  });
  return [
    ...WIRE_SCHEMA_NAMES.map((name) => published(name, 'wire', wireJsonSchema(name))),
    published(
      'registration-error',
      'wire',
      error(
        'Refused registration or claim',
        'The body of an error of the registration and claim endpoints (wire contract §3 to §5).',
        {
          ...object({
            error: {
              ...text,
              examples: codesOf('identity', 'claim', 'complete', 'read_back', 'refresh'),
            },
            error_description: text,
            message: { ...text, description: 'The same text, for older clients.' },
          }),
          required: ['error'],
        },
      ),
    ),
    published(
      'oauth-error',
      'wire',
      error(
        'Refused token or call',
        'The body of an error of token, revocation and device endpoints and of protected resources (RFC 6749 §5.2).',
        {
          ...object({
            error: { ...text, examples: codesOf('token', 'revocation', 'resource', 'provider') },
            error_description: text,
            error_uri: text,
          }),
          required: ['error'],
        },
      ),
    ),
    published(
      'event-error',
      'wire',
      error(
        'Refused event',
        'The body of an error of the endpoint for security events (RFC 8935 §2.3).',
        {
          ...object({ err: { ...text, examples: codesOf('events') }, description: text }),
        },
      ),
    ),
  ];
}

/**
 * @param {string} root
 * @param {Map<string, JsonSchema>} types
 */
async function fileSchemas(root, types) {
  const { credentialFile } =
    /** @type {typeof import('../../src/protocol/schemas/credential-file.ts')} */ (
      await importSource(root, 'src/protocol/schemas/credential-file.ts')
    );
  const { CONFIG_SCHEMAS } =
    /** @type {typeof import('../../src/cli/mock/servers/config/config-schema.ts')} */ (
      await importSource(root, 'src/cli/mock/servers/config/config-schema.ts')
    );
  const options = /** @type {const} */ ({ io: 'input', unrepresentable: 'any' });
  const given = (/** @type {string} */ name) => types.get(name) ?? {};
  return [
    published('credentials', 'file', {
      title: 'Credential file',
      description: 'What agent-auth stores of an agent, version 1. It holds secrets.',
      ...z.toJSONSchema(/** @type {any} */ (credentialFile), options),
    }),
    published('mock-config', 'file', {
      title: 'Configuration of the mocks',
      description:
        'The file of mock up --config; YAML or JSON. Texts have rules beside what is here, which the program tells.',
      ...z.toJSONSchema(/** @type {any} */ (CONFIG_SCHEMAS.up), options),
    }),
    published('conformance-baseline', 'file', {
      title: 'Baseline of a conformance run',
      description: 'Known failures: they do not fail a run until they pass. YAML or JSON.',
      ...given('conformance-baseline'),
    }),
    published('transcript', 'file', {
      title: 'Transcript',
      description: 'What went over the wire, without secrets: it runs again (docs/replay.md).',
      ...given('transcript'),
    }),
    published('requirements', 'file', {
      title: 'Requirement catalogue',
      description: 'What the conformance suite judges by: agent-auth/requirements.json.',
      type: 'array',
      items: given('requirement'),
    }),
  ];
}

/**
 * @param {string} root
 * @param {Map<string, JsonSchema>} printed
 */
async function outputSchemas(root, printed) {
  const { SCHEMAS } = /** @type {typeof import('../../src/cli/shell/schemas.ts')} */ (
    await importSource(root, 'src/cli/shell/schemas.ts')
  );
  const printers = printersIn(readFileSync(join(root, 'docs/json.md'), 'utf8'));
  return Object.entries(SCHEMAS).map(([member, id]) => {
    const known =
      printed.get(member) ?? Object.entries(WRITTEN).find(([name]) => name === member)?.[1];
    if (known === undefined) throw new Error(`Nothing prints ${id}: say in WRITTEN what it is.`);
    const by = printers.get(id);
    return published(`output-${id.replace('agent-auth.', '').replace('/', '-')}`, 'output', {
      title: id,
      description: `What the program prints with --json${by === undefined ? '' : `: ${by}`}. One object a line.`,
      ...withSchema(id, known),
    });
  });
}

/**
 * @param {string} id
 * @param {JsonSchema} schema
 * @returns {JsonSchema}
 */
function withSchema(id, { $defs, ...schema }) {
  const own = { type: 'object', properties: { schema: { const: id } }, required: ['schema'] };
  if (schema['type'] !== 'object') return { ...own, ...schema, ...($defs ? { $defs } : {}) };
  const properties = /** @type {JsonSchema} */ (schema['properties'] ?? {});
  const required = /** @type {string[]} */ (schema['required'] ?? []);
  return {
    ...schema,
    properties: { ...own.properties, ...properties },
    required: [...own.required, ...required],
    ...($defs ? { $defs } : {}),
  };
}

/** Which commands print a schema, by the table of docs/json.md. */
function printersIn(/** @type {string} */ text) {
  const [, table = ''] = text.split('## Every schema');
  const rows = [...table.matchAll(/^\| (`agent-auth\.[^|]+) \| ([^|]+) \|/gm)];
  return new Map(
    rows.flatMap(([, schemas = '', by = '']) =>
      [...schemas.matchAll(/`([^`]+)`/g)].map(
        ([, id = '']) => /** @type {const} */ ([id, by.replaceAll('`', '').trim()]),
      ),
    ),
  );
}
