import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
} from '../../../../src/conformance/index.ts';
import { readWriteRequest } from '../../../../src/conformance/service/write-request.ts';
import { systemClock, systemRandom, systemSleep } from '../../../../src/runtime/index.ts';
import { SEED } from '../../support/seed.ts';

/** What a POST at the protected resource is answered. */
type Post = (request: { hasToken: boolean; type: string; body: string }) => number;

const isNote = (body: string) => {
  try {
    return typeof (JSON.parse(body) as { text?: unknown }).text === 'string';
  } catch {
    return false;
  }
};

/** 415, then 422, then whatever the token decides: as frameworks do that look at the body first. */
const readsFirst =
  (then: (hasToken: boolean) => number): Post =>
  ({ hasToken, type, body }) => {
    if (!type.startsWith('application/json')) return 415;
    return isNote(body) ? then(hasToken) : 422;
  };

const guarded = (hasToken: boolean) => (hasToken ? 201 : 401);
const open = () => 201;

const NOTE = ['POST /api/resource {"text":"x"}'];

describe('whether a write needs a token', () => {
  it.each<[what: string, Post, writes: readonly string[], status: string]>([
    [
      'is judged where the token is looked at first',
      ({ hasToken }) => guarded(hasToken),
      [],
      'pass',
    ],
    ['is judged where anything is taken', open, [], 'fail'],
    ['is left open where no body was taken, guarded', readsFirst(guarded), [], 'skip'],
    ['is left open where no body was taken, or not', readsFirst(open), [], 'skip'],
    ['is judged by a write that was named, guarded', readsFirst(guarded), NOTE, 'pass'],
    ['is judged by a write that was named, or not', readsFirst(open), NOTE, 'fail'],
    ['is left open where there is no write', () => 405, [], 'skip'],
  ])('%s', async (_what, post, writes, status) => {
    const checks = await judge(post, writes);
    const found = checks.find(({ id }) => id === 'protected-writes.no-token');
    expect(found?.status).toBe(status);
    if (status === 'skip') expect(found?.needs).toBe('--write-request');
  });

  it('is judged where a refusal is one of the token, whatever its status', async () => {
    const hidden: Post = ({ hasToken }) => (hasToken ? 200 : 404);
    const checks = await judge(hidden, []);
    const statuses = checks.map(({ id, status }) => [id, status]);
    expect(statuses).toContainEqual(['protected-writes.no-token', 'pass']);
    expect(statuses).toContainEqual(['protected-writes.status', 'warn']);
  });
});

/** The checks of the scenario at a service of a few lines. */
async function judge(post: Post, writes: readonly string[]) {
  const service = await start(post);
  try {
    const results = await judgeService({
      clock: systemClock,
      random: systemRandom,
      sleep: systemSleep,
      seed: SEED,
      target: service.url,
      catalog: new Catalog(readRequirements()),
      repeat: false,
      timeout: 5_000,
      writes: writes.map(readWriteRequest),
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => id === 'protected-writes'),
    });
    return results.flatMap(({ checks }) => checks);
  } finally {
    await service.close();
  }
}

async function start(post: Post) {
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const { status, json } = answerTo(request, body, post);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const TOKEN = 'access-token-of-an-agent';

function answerTo(request: IncomingMessage, body: string, post: Post) {
  const { headers, method, url } = request;
  const origin = `http://${headers.host}`;
  switch (url) {
    case '/.well-known/oauth-protected-resource':
      return { status: 200, json: { resource: origin, authorization_servers: [origin] } };
    case '/.well-known/oauth-authorization-server':
      return { status: 200, json: metadata(origin) };
    case '/identity':
      return { status: 200, json: { identity_assertion: 'a.b.c', claim_token: 'clm_1' } };
    case '/token':
      return { status: 200, json: { access_token: TOKEN, token_type: 'Bearer' } };
    case '/api/resource': {
      const hasToken = headers.authorization === `Bearer ${TOKEN}`;
      const type = headers['content-type'] ?? '';
      const other = method === 'GET' ? guarded(hasToken) : 405;
      const status = method === 'POST' ? post({ hasToken, type, body }) : other;
      return { status, json: { status } };
    }
    default:
      return { status: 404, json: {} };
  }
}

function metadata(origin: string) {
  return {
    issuer: origin,
    token_endpoint: `${origin}/token`,
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    agent_auth: {
      identity_endpoint: `${origin}/identity`,
      identity_types_supported: ['anonymous'],
    },
  };
}
