import { isJsonObject } from '../protocol/index.ts';

/** Members that are text in whichever request has them. */
const TEXTS = [
  'address',
  'audience',
  'email',
  'id',
  'issuer',
  'method',
  'provider',
  'registrationId',
  'resource',
  'service',
];

/**
 * A request of a caller without types: text in its place was ignored, so that `forget('reg_1')` forgot another one.
 * @param needs what has to be there.
 * @throws TypeError that names the method and what it takes; nothing has been sent.
 */
export function requireRequest(
  method: string,
  request: unknown,
  needs: readonly string[] = [],
): void {
  const takes = (what: string) => new TypeError(`${method} takes ${what}.`);
  const missing = needs.map((name) => `${name}: …`).join(', ');
  if (!isJsonObject(request)) throw takes(`an object: ${method}({ ${missing || 'service: …'} })`);
  for (const name of TEXTS) {
    const value = request[name] ?? undefined;
    const isWrong = value === undefined ? needs.includes(name) : typeof value !== 'string';
    if (isWrong) throw takes(`${name} as text`);
  }
  const { code, scopes } = request;
  if (!Array.isArray(scopes ?? [])) throw takes("scopes as a list: ['api.read']");
  if (
    needs.includes('code') &&
    (typeof code !== 'object' || code === null || !('reveal' in code))
  ) {
    throw takes("code as a Secret: new Secret('123456')");
  }
}

/** The same of what is discovered. */
export function requireTarget(method: string, target: unknown): void {
  const isNamed =
    isJsonObject(target) && ['address', 'issuer', 'resource'].some((name) => name in target);
  if (!isNamed) {
    throw new TypeError(
      `${method} takes an address, a resource or an issuer: ${method}({ address: … }).`,
    );
  }
  requireRequest(method, target);
}
