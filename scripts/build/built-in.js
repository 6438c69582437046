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
        CLIENT_CAPABILITIES_META_KEY, createMcpHandler, inputRequired, inputResponse, McpServer,
      } from '@modelcontextprotocol/server';
      export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
    `,
  },
  'node-html-parser': { text: later('node-html-parser', 'parse') },
  selfsigned: { text: `export { generate } from 'selfsigned';` },
  'tough-cookie': { text: `export { Cookie, CookieJar } from 'tough-cookie';` },
  // Its own entry loads all that it has.
  undici: {
    text: `
      import { connect, request } from 'undici/lib/api/index.js';
      import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
      export { default as Agent } from 'undici/lib/dispatcher/agent.js';
      export { default as Pool } from 'undici/lib/dispatcher/pool.js';
      export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
      export { fetch } from 'undici/lib/web/fetch/index.js';
      Object.assign(Dispatcher.prototype, { connect, request });
    `,
  },
  xmlbuilder2: { text: later('xmlbuilder2', 'create') },
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
 * The suite has an HTTP client of its own: undici where it is installed.
 * @returns {string | undefined}
 */
export function builtInFile(/** @type {string} */ specifier, /** @type {string} */ importer) {
  if (specifier === 'undici' && !importer.includes('/src/runtime/')) return undefined;
  return files.get(specifier);
}

/** Packages that stand within the chunks that import them. */
export const INLINED = ['zod', 'ipaddr.js'];

/** Whose code the build holds wherever it is imported: an installed copy of the program needs none of them. */
export const BUILT_IN_PACKAGES = new Set(
  [...INLINED, ...files.keys()]
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    .filter((name) => name !== 'undici'),
);
