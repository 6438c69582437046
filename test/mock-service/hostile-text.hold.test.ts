import { describe, expect, it } from 'vitest';

import { HOSTILE_TEXTS, withHostile } from '../support/hostile-texts.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../support/stores.ts';
import { type Answer, BASE, Harness, PROVIDER } from './harness.ts';

/** So that one waits for the database while others are read and answered. */
const AT_ONCE = 8;
const TOKEN = 'ctl_for-tests-alone-0123456789';

describe('any text, with a file', () => itTakesAnyText(fileStores()));
describeWithPostgres('any text, with PostgreSQL', (server) => {
  itTakesAnyText(postgresStores(server));
});

function itTakesAnyText(newStore: NewStore): void {
  const start = async () => {
    const open = await newStore();
    return Harness.start({ db: await open(), control: { token: TOKEN } });
  };
  /** Sends each text, and expects an answer of which the caller can learn something. */
  const all = async (texts: readonly string[], send: (text: string) => Promise<Answer>) => {
    const left = texts.values();
    const sendEach = async () => {
      for (const text of left) {
        const { body, status } = await send(text);
        const sent = [text.slice(0, 40), text.length, body];
        expect([status < 500, ...sent]).toEqual([true, ...sent]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendEach));
  };
  const mails = withHostile((text) => `${text}@example.com`);
  const domains = withHostile((text) => `a@${text}.example`);
  const resources = withHostile((text) => `${BASE}/api/resource/${text}`);
  const urls = withHostile((text) => `https://elsewhere.example/${text}`);

  it.each([
    'sub',
    'jti',
    'tenant',
    'client_id',
    'aud',
    'email',
    'phone_number',
    'name',
    'scope',
    'resource',
    'agent_platform',
    'agent_context_id',
    'acr',
    'iss',
    'unknown',
  ])('in the claim %s of an ID-JAG', async (claim) => {
    const h = await start();
    const shaped: Readonly<Record<string, readonly string[]>> = {
      email: [...mails, ...domains],
      resource: resources,
    };
    const texts = [...HOSTILE_TEXTS, ...(shaped[claim] ?? [])];
    await all(texts, async (text) =>
      h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({ [claim]: text }),
      }),
    );
  });

  it.each(['jti', 'sub', 'aud', 'iss', 'txn', 'unknown'])(
    'in the claim %s of an event',
    async (claim) => {
      const h = await start();
      const notify = (body: string) =>
        h.send('POST', '/agent/event/notify', {
          body,
          headers: { 'content-type': 'application/secevent+jwt' },
        });
      await all(HOSTILE_TEXTS, async (text) => notify(await h.provider.event({ [claim]: text })));
      await all(HOSTILE_TEXTS, async (text) => {
        const subject = { format: 'iss_sub', iss: PROVIDER, sub: 'user-1', [claim]: text };
        return notify(await h.provider.event({ sub: undefined, sub_id: subject }));
      });
      await all(HOSTILE_TEXTS, async (text) =>
        notify(await h.provider.event({ events: { [text]: { reason: text } } })),
      );
    },
  );

  it('in each member of a registration and a claim', async () => {
    const h = await start();
    const { body } = await h.register({ type: 'anonymous' });
    for (const member of [
      'type',
      'assertion',
      'assertion_type',
      'login_hint',
      'agent_name',
      'client_name',
      'x',
    ]) {
      for (const type of ['anonymous', 'service_auth', 'identity_assertion']) {
        await all([...HOSTILE_TEXTS, ...mails], (text) => h.register({ type, [member]: text }));
      }
    }
    for (const member of ['claim_token', 'email', 'login_hint', 'x']) {
      await all([...HOSTILE_TEXTS, ...mails, ...domains], (text) =>
        h.post('/agent/identity/claim', { claim_token: body['claim_token'], [member]: text }),
      );
    }
    for (const member of ['claim_attempt_token', 'user_code', 'decision', 'csrf_token']) {
      await all(HOSTILE_TEXTS, (text) =>
        h.post('/agent/identity/claim/complete', {
          claim_attempt_token: 'x',
          user_code: 'x',
          [member]: text,
        }),
      );
    }
  });

  it('in each parameter of the token and revocation endpoints', async () => {
    const h = await start();
    const { body } = await h.register({ type: 'anonymous' });
    const names = ['grant_type', 'claim_token', 'assertion', 'scope', 'resource', 'client_id', 'x'];
    for (const name of names) {
      await all([...HOSTILE_TEXTS, ...resources, ...urls], (text) =>
        h.exchange(body['identity_assertion'], { [name]: text }),
      );
      await all([...HOSTILE_TEXTS, ...resources], (text) =>
        h.poll(body['claim_token'], { [name]: text }),
      );
    }
    for (const name of ['token', 'token_type_hint', 'client_id']) {
      await all(HOSTILE_TEXTS, (text) => h.form('/oauth2/revoke', { token: 'x', [name]: text }));
    }
  });

  it('in a path, a query, a header and a cookie', async () => {
    const h = await start();
    const escaped = withHostile((text) => encodeURIComponent(text.toWellFormed()));
    for (const path of [
      '/agent/identity/claim/',
      '/agent/identity/claim/start?claim_attempt_token=',
      '/login?return_to=',
      '/login?prompt=',
      '/connections?registration=',
      '/connections/',
      '/api/resource/',
      '/api/services.json?callback=',
      '/api/services.json?',
      '/api/services/',
      '/api/',
      '/.well-known/oauth-protected-resource/',
      '/',
    ]) {
      await all(escaped, (text) => h.send('GET', path + text));
    }
    const plain = HOSTILE_TEXTS.filter((text) => /^[\x20-\x7e]*$/.test(text));
    for (const name of ['authorization', 'cookie', 'accept', 'content-type', 'origin']) {
      for (const before of ['', 'Bearer ', '__Host-agent-auth-service=']) {
        await all(plain, (text) =>
          h.send('GET', '/api/resource', { headers: { [name]: before + text } }),
        );
        await all(plain, (text) =>
          h.send('GET', '/connections', { headers: { [name]: before + text } }),
        );
      }
    }
  });

  it('in the form of a sign-in', async () => {
    const h = await start();
    for (const name of ['email', 'return_to', 'csrf_token', 'x']) {
      for (const text of [...HOSTILE_TEXTS, ...mails, ...domains]) {
        const user = h.user();
        const page = await user.open(`${BASE}/login`);
        const after = await user.submit(page, '/login', { email: 'a@example.com', [name]: text });
        expect([after.response.status < 500, text.slice(0, 40)]).toEqual([true, text.slice(0, 40)]);
      }
    }
  });

  it('in each text of a control', async () => {
    const h = await start();
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    };
    const control = (path: string, body?: object) =>
      h.send(body === undefined ? 'GET' : 'POST', `/__mock${path}`, {
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
    const escaped = withHostile((text) => encodeURIComponent(text.toWellFormed()));
    await all(escaped, (id) => control(`/registrations/${id}`));
    await all(escaped, (id) => control(`/registrations/${id}/complete`, { email: 'a@b.example' }));
    await all(escaped, (id) => control(`/registrations/${id}/deny`, { email: 'a@b.example' }));
    await all(escaped, (text) => control(`/registrations?limit=${text}`));
    await all(escaped, (text) => control(`/audit?after=${text}`));
    const { body } = await h.register({ type: 'anonymous' });
    await all([...HOSTILE_TEXTS, ...mails, ...domains], (email) =>
      control(`/registrations/${String(body['registration_id'])}/complete`, { email }),
    );
    for (const member of ['issuer', 'name', 'jwks_uri']) {
      await all([...HOSTILE_TEXTS, ...urls], (text) =>
        control('/trust', { issuer: PROVIDER, [member]: text }),
      );
    }
    for (const member of ['client_ids', 'mail_domains']) {
      await all(HOSTILE_TEXTS, (text) => control('/trust', { issuer: PROVIDER, [member]: [text] }));
    }
    for (const member of ['service_id', 'service_name', 'service_url', 'methods', 'x']) {
      const service = { service_id: 7, service_name: 'orders', service_url: '/v1/orders' };
      await all(HOSTILE_TEXTS, (text) => control('/directory/add', { ...service, [member]: text }));
      await all(HOSTILE_TEXTS, (text) => control('/directory/set', { service: 7, [member]: text }));
    }
    await all(HOSTILE_TEXTS, (service) => control('/directory/set', { service, x: 1 }));
    await all(HOSTILE_TEXTS, (service) => control('/directory/remove', { service }));
    await all(escaped, (text) => control(`/exchanges?since=${text}`));
    await all(HOSTILE_TEXTS, (text) => control('/faults', { faults: [text] }));
    await all(HOSTILE_TEXTS, (text) => control('/clock', { advance: text }));
  });
}
