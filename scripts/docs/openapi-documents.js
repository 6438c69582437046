import { importSource } from './import-source.js';

/** Columns. */
const WIDTH = 110;

/**
 * The OpenAPI documents of both mocks as they are without any option, for who has none running.
 *
 * @param {string} root of the project
 * @returns {Promise<import('./pages.js').Page[]>}
 */
export async function openapiDocuments(root) {
  const { createMockService } = /** @type {typeof import('../../src/kits/mock-service.ts')} */ (
    await importSource(root, 'src/kits/mock-service.ts')
  );
  const { createMockProvider } = /** @type {typeof import('../../src/kits/mock-provider.ts')} */ (
    await importSource(root, 'src/kits/mock-provider.ts')
  );
  const control = { token: 'no-token-opens-anything' };
  const service = await createMockService({ baseUrl: 'http://127.0.0.1:4800', control });
  const provider = await createMockProvider({ baseUrl: 'http://127.0.0.1:4801', control });
  const pages = [
    { file: 'docs/openapi/service.json', markdown: await documentOf(service) },
    { file: 'docs/openapi/provider.json', markdown: await documentOf(provider) },
  ];
  await Promise.all([service.close(), provider.close()]);
  return pages;
}

/** @param {{ issuer: string; fetch(request: Request): Promise<Response> }} mock */
async function documentOf({ fetch, issuer }) {
  const response = await fetch(new Request(`${issuer}/openapi.json`));
  if (!response.ok) throw new Error(`${issuer} does not describe itself: ${response.status}`);
  return `${readable(await response.json())}\n`;
}

/**
 * JSON for people: what fits on a line stands on one.
 *
 * @param {unknown} value
 * @param {string} [indent]
 * @returns {string}
 */
export function readable(value, indent = '') {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return short;
  if (indent.length + short.length <= WIDTH) return short;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => deeper + readable(each, deeper))
    : Object.entries(value).map(
        ([name, each]) => `${deeper}${JSON.stringify(name)}: ${readable(each, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
