/**
 * The packages that the build holds, each as one file of `dist/packages` with what is used of it. It is one of two:
 * a start would wait for its many files, or most of what it brings is never used here (`docs/library.md`).
 */

/** @typedef {{ text: string, imports?: readonly string[] }} BuiltIn the file's source, and what it stands for where that is not its name */

/** @type {Readonly<Record<string, BuiltIn>>} */
export const BUILT_IN = {
  commander: {
    text: `export { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';`,
  },
  hono: {
    imports: ['hono', 'hono/cors', 'hono/html', 'hono/utils/cookie', 'hono/utils/url'],
    text: `
      export { Hono } from 'hono';
      export { cors } from 'hono/cors';
      export { html, raw } from 'hono/html';
      export { parse } from 'hono/utils/cookie';
      export { getQueryParam } from 'hono/utils/url';
    `,
  },
  'hono-node-server': {
    imports: ['@hono/node-server', '@hono/node-server/utils/response'],
    text: `
      export { getRequestListener, RequestError } from '@hono/node-server';
      export { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
    `,
  },
  'mcp-server': {
    imports: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
    text: `
      export {
        CLIENT_CAPABILITIES_META_KEY, createMcpHandler, createRequestStateCodec, inputRequired, inputResponse, McpServer,
      } from '@modelcontextprotocol/server';
      export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
    `,
  },
  'node-html-parser': { text: later('node-html-parser', 'parse') },
  // Its own entry loads all that it has.
  undici: {
    text: `
      import { connect, request } from 'undici/lib/api/index.js';
      import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
      export { default as Agent } from 'undici/lib/dispatcher/agent.js';
      export { default as Client } from 'undici/lib/dispatcher/client.js';
      export { default as Pool } from 'undici/lib/dispatcher/pool.js';
      export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
      export { default as errors } from 'undici/lib/core/errors.js';
      Object.assign(Dispatcher.prototype, { connect, request });
    `,
  },
  xmlbuilder: { text: later('xmlbuilder', 'create') },
  // The MCP server's, too.
  zod: {
    imports: ['zod', 'zod/v4'],
    text: `
      export {
        any, array, boolean, coerce, custom, discriminatedUnion, email, enum, int, intersection, iso, lazy,
        literal, looseObject, NEVER, null, number, object, optional, preprocess, prettifyError, record, safeParse,
        strictObject, string, toJSONSchema, union, unknown, url, ZodError,
      } from 'zod';
    `,
  },
  'zod-mini': {
    imports: ['zod/mini'],
    text: `
      export {
        array, boolean, enum, literal, looseObject, minLength, nullable, number, optional, positive, record, string,
        union, url,
      } from 'zod/mini';
    `,
  },
};

/** A function of a package that runs nothing until it is called: few of those who import it do. */
function later(/** @type {string} */ name, /** @type {string} */ exported) {
  return `export function ${exported}(...given) { return require('${name}').${exported}(...given); }`;
}

const files = new Map(
  Object.entries(BUILT_IN).flatMap(([name, { imports = [name] }]) =>
    imports.map((specifier) => [specifier, name]),
  ),
);

/**
 * The file of `dist/packages`, without its extension, that stands for what is imported; `undefined` for anything else.
 * @returns {string | undefined}
 */
export const builtInFile = (/** @type {string} */ specifier) => files.get(specifier);

/** A package that stands within the chunk that imports it. */
export const INLINED = 'ipaddr.js';

/** Whose code the build holds: an installed copy of the program needs none of them. */
export const BUILT_IN_PACKAGES = new Set(
  [INLINED, ...files.keys()].map(
    (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier,
  ),
);
