import { isJsonObject, type JsonObject } from '../../protocol/index.ts';

/**
 * The path of the first server, without a final slash: an operation's own servers stand before those of its
 * path, and these before those of the document.
 */
export function serverPath(...levels: readonly JsonObject[]): string {
  for (const { servers } of levels) {
    const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
    if (isJsonObject(first) && typeof first['url'] === 'string') {
      return pathOf(withDefaults(first['url'], first['variables']));
    }
  }
  return '';
}

function withDefaults(url: string, variables: unknown): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable =
      isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) ? String(variable['default'] ?? whole) : whole;
  });
}

function pathOf(url: string): string {
  const base = 'http://base.invalid/';
  const path = URL.canParse(url, base) ? new URL(url, base).pathname : '/';
  return path.replace(/\/+$/, '');
}
