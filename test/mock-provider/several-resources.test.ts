import { beforeEach, expect, it } from 'vitest';
import {
  decodeJwt,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/index.ts';
import { Harness as ServiceHarness } from '../mock-service/harness.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';

const API = 'https://api.elsewhere.test';
/** Its metadata names the server. */
const NAMING = 'https://api.naming.test';
let asked: string[] = [];
beforeEach(() => {
  asked = [];
});

/** What the provider answers to a request for so many resources. */
async function mintFor(...resources: readonly string[]) {
  const harness = await Harness.start({
    audiences: ['any', { issuer: SERVICE, resources: [API] }],
    fetch: async (url) => {
      asked.push(url);
      const { origin } = new URL(url);
      const servers = origin === NAMING ? [SERVICE] : [origin];
      return Response.json({ resource: origin, authorization_servers: servers });
    },
    autoApprove: 'alice@example.com',
  });
  const body = new URLSearchParams({
    grant_type: TOKEN_EXCHANGE_GRANT,
    client_id: 'agent-auth',
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: SERVICE,
    subject_token: await harness.signIn(),
    subject_token_type: ID_TOKEN_TYPE,
  });
  for (const each of resources) body.append('resource', each);
  const request = new Request(`${ISSUER}/oauth2/token`, { method: 'POST', body });
  const answer = (await (await harness.provider.fetch(request)).json()) as Record<string, string>;
  const jwt = answer['access_token'] && decodeJwt(answer['access_token']);
  return { error: answer['error'], jwt: JSON.stringify(jwt) };
}

it('could not mint for an API on another origin than its server, nor for two resources', async () => {
  expect((await mintFor(API)).jwt).toContain(`"resource":"${API}"`);
  expect((await mintFor(API, `${SERVICE}/api`)).jwt).toContain(
    `"resource":["${API}","${SERVICE}/api"]`,
  );
});

it('mints for the resource whose metadata names the audience', async () => {
  expect((await mintFor(NAMING)).jwt).toContain(`"resource":"${NAMING}"`);
  expect(asked).toEqual([`${NAMING}/.well-known/oauth-protected-resource`]);
});

it('asks nothing of a network or machine that a request names', async () => {
  expect((await mintFor('https://10.0.0.5', 'https://[::]:9200')).error).toBe('invalid_target');
  expect(asked).toEqual([]);
});

it('refuses several resources where one is of another audience', async () => {
  expect((await mintFor(API, 'https://other.test')).error).toBe('invalid_target');
});

it('refuses two different resources at the service, and takes one given twice', async () => {
  const harness = await ServiceHarness.start();
  const { body } = await harness.register({ type: 'anonymous' });
  const exchange = async (...resources: readonly string[]) => {
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: String(body['identity_assertion']),
    });
    for (const each of resources) form.append('resource', each);
    const url = `${harness.service.issuer}/oauth2/token`;
    const answer = await harness.service.fetch(new Request(url, { method: 'POST', body: form }));
    return ((await answer.json()) as Record<string, unknown>)['error'];
  };
  const { issuer } = harness.service;
  expect(await exchange(issuer, issuer)).toBeUndefined();
  expect(await exchange(issuer, `${issuer}/api/resource`)).toBe('invalid_target');
});
