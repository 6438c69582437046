import { describe, expect, it } from 'vitest';
import { recognise } from '../../src/discovery/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';

const URL_OF_IT = 'https://app.example.com/client.json';
const PUBLIC = {
  client_id: URL_OF_IT,
  client_name: 'App',
  redirect_uris: ['https://app.example.com/callback', 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
};
const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
const WITH_KEY = {
  ...PUBLIC,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [KEY] },
};

const recognised = (client: JsonObject, at = URL_OF_IT) => recognise({ client, at });
const rulesOf = (client: JsonObject, at?: string) =>
  recognised(client, at).defects.map(({ rule, member }) => `${rule} ${member}`);

describe('the document of a client', () => {
  it.each([
    ['public', PUBLIC],
    ['with a key', WITH_KEY],
    ['with keys elsewhere', { ...WITH_KEY, jwks: undefined, jwks_uri: `${URL_OF_IT}/keys` }],
    ['of an application', { ...PUBLIC, redirect_uris: ['com.example.app:/callback'] }],
    ['without a sign-in', { ...PUBLIC, redirect_uris: undefined, grant_types: ['x'] }],
  ])('is right: %s', (_what, given) => {
    const client = JSON.parse(JSON.stringify(given)) as JsonObject;
    const { defects, held, role, verdict } = recognised(client);
    expect({ defects, role, verdict }).toEqual({
      ...{ defects: [], role: 'client', verdict: 'not_this_protocol' },
    });
    expect(held).toContain('The client_id is the URL of its document, letter for letter.');
  });

  it.each(['https://app.example.com/Client.json', `${URL_OF_IT}/`, `${URL_OF_IT}?a`])(
    'is of its own URL alone, and not of %s',
    (at) => {
      expect(rulesOf(PUBLIC, at)).toEqual(['client-id-differs client_id']);
      expect(recognised(PUBLIC, at).held.join(' ')).not.toContain('letter for letter');
    },
  );

  it('holds what was judged, and nothing of what is not there', () => {
    const { held } = recognised({ ...PUBLIC, client_id: 7 });
    expect(held.join(' ')).not.toMatch(/client_id|jwks|keys|ID-JAG/);
    expect(held).toContain('The document names the client for people.');
    expect(recognised(WITH_KEY).held).toContain('The keys in jwks are public.');
  });

  it.each([
    'http://app.example.com/client.json',
    'https://app.example.com',
    'https://user@app.example.com/client.json',
    `${URL_OF_IT}#here`,
    'https://app.example.com/a/../client.json',
    'https://app.example.com/%2e/client.json',
    'app',
  ])('lies at no place as %s', (id) => {
    expect(rulesOf({ ...PUBLIC, client_id: id }, id)).toEqual(['client-id-not-a-place client_id']);
  });

  it.each<[more: JsonObject, broken: readonly string[]]>([
    [{ client_id: 7 }, ['client-id-missing client_id']],
    [{ client_secret: 'x' }, ['client-secret-published client_secret']],
    [
      { token_endpoint_auth_method: 'client_secret_jwt', client_secret: 'x' },
      ['client-secret-published client_secret', 'client-auth token_endpoint_auth_method'],
    ],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, ['client-auth token_endpoint_auth_method']],
    [{ ...WITH_KEY, jwks: { keys: [] } }, ['client-keys-missing jwks']],
    [{ ...WITH_KEY, jwks: { keys: ['key'] } }, ['client-keys-missing jwks']],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, ['client-keys-missing jwks_uri']],
    [{ jwks: [], jwks_uri: URL_OF_IT }, ['client-keys-missing jwks']],
    [{ jwks: 'none' }, ['client-keys-missing jwks']],
    [{ jwks: { keys: [KEY, { ...KEY, d: 'd' }] } }, ['client-keys-private jwks.keys[1]']],
    [{ jwks: { keys: [{ kty: 'oct', k: 'k' }] } }, ['client-keys-private jwks.keys[0]']],
    [{ jwks: { ...KEY, d: 'd' } }, ['client-keys-missing jwks', 'client-keys-private jwks']],
    [{ redirect_uris: [] }, ['client-redirects redirect_uris']],
    [{ redirect_uris: 'https://app.example.com' }, ['client-redirects redirect_uris']],
    [{ redirect_uris: ['/callback'] }, ['client-redirects redirect_uris[0]']],
    [{ redirect_uris: [`${URL_OF_IT}#x`] }, ['client-redirects redirect_uris[0]']],
    [
      { redirect_uris: ['javascript:x', 7] },
      [0, 1].map((at) => `client-redirects redirect_uris[${at}]`),
    ],
    [{ jwks_uri: 'http://app.example.com/keys' }, ['client-keys-url jwks_uri']],
    [{ jwks_uri: 'https://127.0.0.1/keys' }, ['client-keys-url jwks_uri']],
    [{ logo_uri: 'data:image/png,x' }, ['client-link logo_uri']],
    [
      { tos_uri: 'https://192.168.0.1/', client_uri: 7 },
      ['client-link client_uri', 'client-link tos_uri'],
    ],
    [{ client_name: '' }, ['client-name-missing client_name']],
    [
      { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] },
      ['client-grant-pair grant_types'],
    ],
  ])('is wrong with %j', (more, broken) => {
    expect(rulesOf({ ...PUBLIC, ...more })).toEqual(broken);
  });

  it('errs where servers refuse, warns of links, and lets a test use its own loopback', () => {
    const { token_endpoint_auth_method: _, ...unsaid } = PUBLIC;
    const severities = (client: JsonObject, at?: string) =>
      recognised(client, at).defects.map(({ rule, severity }) => [rule, severity]);
    expect(severities(unsaid)).toEqual([['client-auth', 'error']]);
    expect(severities({ ...PUBLIC, tos_uri: 'http://app.example.com' })).toEqual([
      ['client-link', 'warning'],
    ]);
    const local = 'http://127.0.0.1:4000/client.json';
    const keys = { ...WITH_KEY, jwks: undefined, jwks_uri: 'http://localhost:4000/keys' };
    const client = JSON.parse(JSON.stringify({ ...keys, client_id: local })) as JsonObject;
    expect(severities(client, local)).toEqual([]);
  });

  it('shows no secret that it has', () => {
    const found = recognised({
      ...PUBLIC,
      client_secret: 's3cret',
      jwks: { keys: [{ d: 's3cret' }] },
    });
    expect(found.defects).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });
});
