import { describe, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../../src/protocol/index.ts';
import type { Explained } from '../../../src/traffic/index.ts';
import { bothMocks, type Flows } from '../../mock/traffic/all-flows.ts';
import { judged } from './judge-exchanges.ts';

type Json = Record<string, unknown>;
const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';
const FORM = 'application/x-www-form-urlencoded';

/** A script in the place of an agent: it sends what no agent of the tests does. */
class Script {
  readonly flows: Flows;

  constructor(flows: Flows) {
    this.flows = flows;
  }

  async send(method: string, path: string, init: { type?: string; body?: string; token?: string }) {
    // At one instant, requests are taken for simultaneous.
    this.flows.clock.advance(10);
    const { body, token, type } = init;
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const url = path.startsWith('/') ? this.flows.service.issuer + path : path;
    const response = await this.flows.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      json: (text.startsWith('{') ? JSON.parse(text) : {}) as Json,
    };
  }

  async post(path: string, body: Json): Promise<Json> {
    const type = 'application/json';
    return (await this.send('POST', path, { type, body: JSON.stringify(body) })).json;
  }

  async form(path: string, fields: readonly (readonly [string, string])[]): Promise<Json> {
    const body = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    return (await this.send('POST', path, { type: FORM, body })).json;
  }

  async call(token?: string): Promise<number> {
    const given = token === undefined ? {} : { token };
    return (await this.send('GET', '/api/resource', given)).status;
  }

  async registered() {
    const answer = await this.post('/agent/identity', { type: 'anonymous' });
    const assertion = String(answer['identity_assertion']);
    return { assertion, claimToken: String(answer['claim_token']) };
  }

  async token(assertion: string): Promise<string> {
    const fields = [
      ['grant_type', JWT_BEARER_GRANT],
      ['assertion', assertion],
    ] as const;
    return String((await this.form('/oauth2/token', fields))['access_token']);
  }
}

/** What each script shows. */
const SCRIPTS: Readonly<
  Record<string, { finds: string; faults?: string; run: (script: Script) => Promise<unknown> }>
> = {
  'an agent that uses a token on and on that is refused': {
    finds: 'agent BRR-11',
    run: async (script) => {
      const token = await script.token((await script.registered()).assertion);
      await script.form('/oauth2/revoke', [['token', token]]);
      for (let calls = 0; calls < 10; calls += 1) expect(await script.call(token)).toBe(401);
    },
  },
  'an agent that exchanges an assertion on and on that is refused': {
    finds: 'agent AMD-09',
    run: async (script) => {
      const { assertion } = await script.registered();
      // Past its end, and that of its registration.
      script.flows.clock.advance(25 * 3_600_000);
      for (let tries = 0; tries < 10; tries += 1) await script.token(assertion);
    },
  },
  'an agent that calls with its assertion': {
    finds: 'agent AR-DOES-2.agent',
    run: async (script) => script.call((await script.registered()).assertion),
  },
  'an agent that calls with its claim token': {
    finds: 'agent A-18.agent',
    run: async (script) => script.call((await script.registered()).claimToken),
  },
  'an agent that asks about its claim by a URL': {
    finds: 'agent A-18.agent',
    run: async (script) => {
      const { claimToken } = await script.registered();
      await script.send('GET', `/agent/identity/claim?claim_token=${claimToken}`, {});
    },
  },
  'an agent that names a parameter twice': {
    finds: 'agent TOK-22',
    run: async (script) => {
      const { claimToken } = await script.registered();
      await script.form('/oauth2/token', [
        ['grant_type', CLAIM_GRANT],
        ['claim_token', claimToken],
        ['claim_token', claimToken],
      ]);
    },
  },
  'an agent that asks for a token by JSON': {
    finds: 'agent AR-EP-7.agent',
    run: async (script) => {
      const { assertion } = await script.registered();
      await script.post('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion });
    },
  },
  'a service that does not take a grant that it lists': {
    finds: 'service ASM-06',
    faults: 'extraGrantType',
    run: async (script) => {
      const { claimToken } = await script.registered();
      await script.send('GET', '/.well-known/oauth-authorization-server', {});
      await script.form('/oauth2/token', [
        ['grant_type', 'urn:older:agent-auth:grant-type:claim'],
        ['claim_token', claimToken],
      ]);
    },
  },
  'a service that takes revoked tokens': {
    finds: 'service BRR-14',
    faults: 'ignoredRevocation',
    run: async (script) => {
      await script.call();
      const token = await script.token((await script.registered()).assertion);
      await script.form('/oauth2/revoke', [['token', token]]);
      expect(await script.call(token)).toBe(200);
    },
  },
  'a provider that pushes an event as JSON': {
    finds: 'provider PSH-01',
    run: (script) => script.post('/agent/event/notify', {}),
  },
};

async function foundBy(script: (script: Script) => Promise<unknown>, service?: string) {
  const flows = await bothMocks({ ...(service !== undefined && { faults: { service } }) });
  await script(new Script(flows));
  return [
    ...new Set(judged(flows.log.read().exchanges).map((each) => `${each.by} ${each.requirement}`)),
  ];
}

describe('what is found of', () => {
  it.each(Object.entries(SCRIPTS))('%s', async (_name, { faults, finds, run }) => {
    expect(await foundBy(run, faults)).toEqual([finds]);
  });
});

describe('what is no mistake', () => {
  it.each<[string, (script: Script) => Promise<unknown>]>([
    [
      'a token that is tried once more after a 401, and then exchanged',
      async (script) => {
        const { assertion } = await script.registered();
        const token = await script.token(assertion);
        await script.form('/oauth2/revoke', [['token', token]]);
        await script.call(token);
        await script.call(token);
        await script.call(await script.token(assertion));
      },
    ],
    [
      'many calls at once with a token that is over',
      async (script) => {
        const token = await script.token((await script.registered()).assertion);
        await script.form('/oauth2/revoke', [['token', token]]);
        const call = () =>
          script.flows.fetch(`${script.flows.service.issuer}/api/resource`, {
            headers: { authorization: `Bearer ${token}` },
          });
        await Promise.all(Array.from({ length: 20 }, call));
      },
    ],
    [
      'one poll too early, by a clock that was moved back',
      async (script) => {
        const { claimToken } = await script.registered();
        await script.post('/agent/identity/claim', {
          claim_token: claimToken,
          email: 'a@b.example',
        });
        const poll = () =>
          script.form('/oauth2/token', [
            ['grant_type', CLAIM_GRANT],
            ['claim_token', claimToken],
          ]);
        for (const pause of [5_000, 5_000, 2_000, 10_000, 10_000]) {
          script.flows.clock.advance(pause);
          await poll();
        }
      },
    ],
  ])('%s', async (_name, run) => {
    expect(await foundBy(run)).toEqual([]);
  });
});

describe('what no mock does', () => {
  const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;
  type Given = Partial<Explained['exchange']> & Pick<Explained['exchange'], 'url'>;

  /** Exchanges in a row, a second apart. */
  function found(...given: readonly Given[]): readonly string[] {
    const exchanges = given.map((each, at) => {
      const { pathname } = new URL(each.url);
      const base = { to: 'service', duration: 1, method: 'GET', status: 200 } as const;
      const messages = { request: MESSAGE, response: MESSAGE };
      return { ...base, ...messages, seq: at + 1, at: at * 1_000, path: pathname, ...each };
    });
    return judged(exchanges).map(({ by, requirement }) => `${by} ${requirement}`);
  }
  const json = (body: unknown, headers = {}) => ({
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body,
    bodyState: 'whole' as const,
    bytes: 1,
  });
  const idJag = {
    jwt: 'secret~idjagAAA',
    header: { typ: 'oauth-id-jag+jwt' },
    claims: { aud: 'https://a.example' },
  };
  const metadata = (issuer: string, url = issuer) => ({
    url: `${url}/.well-known/oauth-authorization-server`,
    response: json({ issuer, token_endpoint: `${url}/oauth2/token` }),
  });

  it('is found: a redirect to another origin that is followed with a secret', () => {
    const body = { grant_type: JWT_BEARER_GRANT, assertion: 'secret~assertAA' };
    const request = { ...json(body), headers: { 'content-type': FORM } };
    const first = {
      url: 'https://a.example/oauth2/token',
      method: 'POST',
      status: 307,
      request,
      response: { ...MESSAGE, headers: { location: 'https://b.example/oauth2/token' } },
    };
    const second = { url: 'https://b.example/oauth2/token', method: 'POST', status: 400, request };
    expect(found(first, second)).toContain('agent A-46');
    expect(found(first, { ...second, request: MESSAGE, method: 'GET' })).not.toContain(
      'agent A-46',
    );
  });

  it('is found: an ID-JAG that is sent again after it was taken', () => {
    const sent = {
      url: 'https://a.example/agent/identity',
      method: 'POST',
      request: json({ type: 'identity_assertion', assertion: idJag }),
      response: json({ registration_id: 'reg_1' }),
    };
    expect(found(sent, sent)).toEqual(['agent W3-54']);
    expect(found({ ...sent, status: 503 }, sent)).toEqual([]);
  });

  it('is found: an issuer that two documents spell differently', () => {
    const resource = {
      url: 'https://a.example/.well-known/oauth-protected-resource',
      response: json({
        resource: 'https://a.example',
        authorization_servers: ['https://a.example/'],
      }),
    };
    expect(found(resource, metadata('https://a.example'))).toEqual(['service W2-09']);
    expect(found(resource, metadata('https://a.example/', 'https://a.example'))).toEqual([]);
  });

  it('is let pass: another name of this machine', () => {
    expect(found(metadata('http://127.0.0.1:4800', 'http://localhost:4800'))).toEqual([]);
    expect(found(metadata('https://b.example', 'https://a.example'))).toEqual(['service ASM-02']);
  });

  it('is let pass: an answer of a proxy in between', () => {
    const response = { ...MESSAGE, headers: { 'proxy-status': 'x; error=connection_refused' } };
    const call = {
      url: 'https://a.example/api/x',
      status: 401,
      request: { ...MESSAGE, headers: { authorization: 'Bearer secret~tokenAAA' } },
    };
    expect(found({ ...call, response })).toEqual([]);
    expect(found(call)).toEqual(['service BRR-05']);
  });

  it('is let pass: a claim link of the service that has a secret in it', () => {
    const link = 'https://a.example/agent/status?claim_token=secret~claimAAA';
    const given = {
      url: 'https://a.example/agent/identity',
      method: 'POST',
      response: json({ claim_token: 'secret~claimAAA', status_url: link }),
    };
    expect(found(given, { url: link })).toEqual([]);
    const other = { ...given, response: json({ claim_token: 'secret~claimAAA' }) };
    expect(found(other, { url: link })).toEqual(['agent A-18.agent']);
  });
});
