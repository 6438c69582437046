#!/usr/bin/env node
// An agent that is not ours: it knows anonymous registrations and calls, and believes no document that is not
// exactly right. Written from RFC 9728, RFC 8414 and the specification alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { task, type, resource } = JSON.parse(process.env['AGENT_AUTH_CONTEXT'] ?? '');
if (task !== 'call' || type !== 'anonymous') process.exit(77);

const folder = join(process.env['HOME'] ?? '', '.strict-agent');
const file = join(folder, `${encodeURIComponent(resource)}.json`);

/** @typedef {{ identity: string, token: string, assertion: string, access?: string }} Kept */
/** @typedef {{ status: number, headers: Headers, text: string }} Answer */

/** @type {(message: string) => never} */
function fail(message) {
  process.stderr.write(`strict-agent: ${message}\n`);
  process.exit(1);
}

/** @type {(isRight: boolean, message: string) => void} */
function need(isRight, message) {
  if (!isRight) fail(message);
}

/** @type {(value: unknown) => boolean} */
const isUrl = (value) =>
  typeof value === 'string' &&
  URL.canParse(value) &&
  /^https:|^http:\/\/127\.0\.0\.1[:/]/.test(value);
/** @type {(value: unknown, item: (each: unknown) => boolean) => boolean} */
const isList = (value, item) => Array.isArray(value) && value.length > 0 && value.every(item);
/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === 'string' && value !== '';

/** @type {(url: unknown, options?: RequestInit) => Promise<Answer>} */
async function ask(url, options = {}) {
  if (typeof url !== 'string' || !isUrl(url)) return fail('this is no URL that I may ask');
  try {
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(url, { redirect: 'manual', signal, ...options });
    const chunks = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > 256 * 1024) throw new Error('too much');
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    return { status: answer.status, headers: answer.headers, text };
  } catch {
    return fail(`no answer of ${new URL(url).host}`);
  }
}

/** @param {Answer} answer @param {string} what */
function read({ status, headers, text }, what) {
  need(status === 200, `${what}: status ${status}`);
  need(/^application\/json\b/i.test(headers.get('content-type') ?? ''), `${what}: no JSON`);
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${what}: no JSON`);
  }
}

/** Every member that the specification shows has to be there, and right. */
async function discover() {
  const challenge = await ask(resource);
  need(challenge.status === 401, `status ${challenge.status} without a token`);
  const field = challenge.headers.get('www-authenticate') ?? '';
  const [, quoted, token] =
    /(?:^|, *)bearer +(?:[^,]*, *)*?resource_metadata=(?:"([^"]*)"|([^ ,"]+))/i.exec(field) ?? [];
  const prm = read(await ask(quoted ?? token), 'resource metadata');
  need(prm.resource === resource || resource.startsWith(`${prm.resource}/`), 'another resource');
  need(isList(prm.authorization_servers, isUrl), 'no authorization_servers');
  need(isList(prm.scopes_supported, isText), 'no scopes_supported');
  need(isList(prm.bearer_methods_supported, isText), 'no bearer_methods_supported');
  for (const issuer of prm.authorization_servers) {
    const { origin, pathname } = new URL(issuer);
    const path = pathname === '/' ? '' : pathname;
    let found = await ask(`${origin}/.well-known/oauth-authorization-server${path}`);
    for (const at of path === '' ? [] : [origin, issuer]) {
      if (found.status !== 404) break;
      found = await ask(`${at}/.well-known/oauth-authorization-server`);
    }
    const asm = read(found, 'server metadata');
    need(asm.issuer === issuer, 'another issuer');
    if (asm.agent_auth === undefined) continue;
    const { agent_auth: block } = asm;
    /** @param {unknown} url */
    const own = (url) => isUrl(url) && new URL(String(url)).origin === origin;
    need(own(asm.token_endpoint) && own(asm.revocation_endpoint), 'endpoints elsewhere');
    need(isList(asm.grant_types_supported, isText), 'no grant_types_supported');
    need(Array.isArray(asm.response_types_supported), 'no response_types_supported');
    need(own(block.identity_endpoint) && own(block.claim_endpoint), 'endpoints elsewhere');
    need(isUrl(block.skill) && isUrl(block.events_endpoint), 'no skill or events_endpoint');
    need(isList(block.identity_types_supported, isText), 'no identity_types_supported');
    need(block.identity_types_supported.includes('anonymous'), 'no anonymous registrations');
    need(isList(block.identity_assertion?.assertion_types_supported, isText), 'no assertion types');
    need(isList(block.events_supported, isText), 'no events_supported');
    return { identity: block.identity_endpoint, token: asm.token_endpoint };
  }
  return fail('no server takes agents');
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function register() {
  const found = await discover();
  const body = JSON.stringify({ type: 'anonymous' });
  const answer = read(
    await ask(found.identity, { method: 'POST', headers: JSON_TYPE, body }),
    'registration',
  );
  need(
    isText(answer.identity_assertion) && isText(answer.claim_token),
    'an incomplete registration',
  );
  return { ...found, assertion: answer.identity_assertion };
}

/** @param {Kept} kept */
async function exchange(kept) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const body = new URLSearchParams({ grant_type, assertion: kept.assertion });
  const answer = read(await ask(kept.token, { method: 'POST', body }), 'exchange');
  need(
    /^bearer$/i.test(answer.token_type) && /^[\w.~+/-]+=*$/.test(answer.access_token),
    'no bearer token',
  );
  save({ ...kept, access: answer.access_token });
}

/** @param {Kept} state */
function save(state) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
}

/** @returns {Kept | undefined} */
function load() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const call = () => ask(resource, { headers: { authorization: `Bearer ${load()?.access}` } });

const known = load();
if (known === undefined) await exchange(await register());
let answer = await call();
if (answer.status === 401 && known !== undefined) {
  await exchange(known);
  answer = await call();
}
need(
  answer.status === 200,
  `the call was answered ${answer.status}; ask your user before you register again`,
);
process.stdout.write('done\n');
