import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  REFRESH_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import { CodeClient } from '../support/code-client.ts';
import { TestUser } from '../support/test-user.ts';
import { ALICE, World } from './world.ts';

const PROVIDER = 'https://provider.test';
const SERVICE = 'https://service.test';
const MCP = `${SERVICE}/mcp`;
const CLIENT = { id: 'a-client', secret: 'a:test-secret' };
const POST = { client_id: CLIENT.id, client_secret: CLIENT.secret };

type Fields = Readonly<Record<string, string>>;

/** How a client sends what every client sends. */
interface Shape {
  readonly subject: 'id_token' | 'refresh_token';
  readonly exchange: Fields;
  readonly redemption: Fields;
  /** The value of `Authorization` at the service. */
  readonly basic?: string;
  /** What the access token is for, where that is not `/mcp`. */
  readonly resource?: string;
}

const both = { resource: MCP, scope: 'api.read' };
const encodedPair = `${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret)}`;

/** What these clients were seen to send, each to the ends of its own habits. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'Go: an empty code on both, neither scope nor resource in the second': {
    subject: 'id_token',
    exchange: { ...POST, audience: SERVICE, ...both, code: '' },
    redemption: { ...POST, code: '' },
  },
  'C#: a final slash on a bare origin, basic that is form-encoded': {
    subject: 'id_token',
    exchange: { ...POST, audience: `${SERVICE}/`, resource: `${SERVICE}/`, scope: 'api.read' },
    redemption: { scope: 'api.read' },
    basic: encodedPair,
    resource: SERVICE,
  },
  'TypeScript: basic that is not encoded': {
    subject: 'id_token',
    exchange: { ...POST, audience: SERVICE, ...both },
    redemption: both,
    basic: `${CLIENT.id}:${CLIENT.secret}`,
  },
  'Python: client_id in the body beside encoded basic': {
    subject: 'id_token',
    exchange: { ...POST, audience: SERVICE, ...both },
    redemption: { ...both, client_id: CLIENT.id },
    basic: encodedPair,
  },
  'VS Code: post, resource and scope in both': {
    subject: 'id_token',
    exchange: { ...POST, audience: SERVICE, ...both },
    redemption: { ...POST, ...both },
  },
  'Okta: a refresh token as the subject, post': {
    subject: 'refresh_token',
    exchange: { ...POST, audience: SERVICE, ...both },
    redemption: POST,
  },
};

const TYPES = { id_token: ID_TOKEN_TYPE, refresh_token: REFRESH_TOKEN_TYPE };

let world: World;

beforeEach(async () => {
  world = await World.create({ provider: PROVIDER, service: SERVICE }, [CLIENT]);
});
afterEach(() => world.close());

async function form(url: string, fields: Fields, headers: Fields = {}) {
  const body = new URLSearchParams(fields);
  const response = await world.fetch(url, { method: 'POST', body, headers });
  return (await response.json()) as Record<string, unknown>;
}

async function callTool(token: unknown): Promise<number> {
  const params = { name: 'who_am_i', arguments: {} };
  const response = await world.fetch(MCP, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(token)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.status;
}

describe('requests in the shape of other clients', () => {
  it.each(Object.entries(SHAPES))('%s', async (_who, shape) => {
    const client = new CodeClient(
      {
        issuer: PROVIDER,
        user: () => new TestUser(world.provider.fetch),
        form: (path, fields) => form(PROVIDER + path, fields),
      },
      POST,
    );
    const tokens = await client.signIn(ALICE.email, { scope: 'openid offline_access' });
    const exchanged = await form(`${PROVIDER}/oauth2/token`, {
      grant_type: TOKEN_EXCHANGE_GRANT,
      requested_token_type: ID_JAG_TOKEN_TYPE,
      subject_token: String(tokens[shape.subject]),
      subject_token_type: TYPES[shape.subject],
      ...shape.exchange,
    });
    expect(exchanged).toMatchObject({
      issued_token_type: ID_JAG_TOKEN_TYPE,
      token_type: 'N_A',
      expires_in: 300,
    });
    const redeemed = await form(
      `${SERVICE}/oauth2/token`,
      {
        grant_type: JWT_BEARER_GRANT,
        assertion: String(exchanged['access_token']),
        ...shape.redemption,
      },
      shape.basic === undefined ? {} : { authorization: `Basic ${btoa(shape.basic)}` },
    );
    const resource = shape.resource ?? MCP;
    expect(redeemed).toMatchObject({ token_type: 'Bearer', scope: 'api.read', resource });
    // EMA-74: one for the base opens no /mcp.
    expect(await callTool(redeemed['access_token'])).toBe(resource === MCP ? 200 : 401);
  });

  it.each([
    `${PROVIDER}/.well-known/openid-configuration`,
    `${PROVIDER}/.well-known/oauth-authorization-server`,
    `${SERVICE}/.well-known/oauth-authorization-server`,
  ])('find the metadata at %s', async (url) => {
    const response = await world.fetch(url, {});
    expect(await response.json()).toMatchObject({
      issuer: new URL(url).origin,
      code_challenge_methods_supported: ['S256'],
    });
  });
});
