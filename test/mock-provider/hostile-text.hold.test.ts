import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS, withHostile } from '../support/hostile-texts.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../support/stores.ts';
import { type Answer, Harness, ISSUER, SERVICE } from './harness.ts';

/** So that one waits for the database while others are read and answered. */
const AT_ONCE = 8;
const TOKEN = 'ctl_for-tests-alone-0123456789';

describe('any text, with a file', () => itTakesAnyText(fileStores()));
describeWithPostgres('any text, with PostgreSQL', (server) => {
  itTakesAnyText(postgresStores(server));
});

function itTakesAnyText(newStore: NewStore): void {
  const start = async (options: object = {}) => {
    const open = await newStore();
    return Harness.start({ db: await open(), control: { token: TOKEN }, ...options });
  };
  /** Sends each text, and expects an answer of which the caller can learn something. */
  const all = async (texts: readonly string[], send: (text: string) => Promise<Answer>) => {
    const left = texts.values();
    const sendEach = async () => {
      for (const text of left) {
        const { body, status } = await send(text);
        const sent = [text.slice(0, 60), text.length, body];
        expect([status < 500, ...sent]).toEqual([true, ...sent]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendEach));
  };
  /** What gets further where a URL or a list of scopes is expected. */
  const shaped: Readonly<Record<string, readonly string[]>> = {
    audience: withHostile((text) => `https://${text}.example`),
    resource: withHostile((text) => `${SERVICE}/${text}`),
    scope: withHostile((text) => `openid ${text}`),
  };
  const textsFor = (name: string) => [...HOSTILE_TEXTS, ...(shaped[name] ?? [])];
  const names = [
    'client_id',
    'scope',
    'audience',
    'resource',
    'prompt',
    'max_age',
    'login_hint',
    'state',
    'x',
  ];

  it('in each parameter of a device authorization', async () => {
    const h = await start();
    for (const name of names) {
      const texts = textsFor(name);
      await all(texts, (text) => h.askForDevice({ [name]: text }));
      await all(texts, (text) => h.askForDevice({ audience: SERVICE, [name]: text }));
    }
  });

  it('in each parameter of a poll, an exchange and a revocation', async () => {
    const h = await start();
    const { device_code } = await h.device();
    const idToken = await h.consented();
    const more = ['grant_type', 'subject_token', 'subject_token_type', 'requested_token_type'];
    for (const name of [...names, ...more, 'actor_token', 'device_code']) {
      const texts = textsFor(name);
      await all(texts, (text) => h.poll(device_code, { [name]: text }));
      await all(texts, (text) => h.mint(idToken, { [name]: text }));
      await all(texts, (text) => h.revoke(idToken, { [name]: text }));
    }
  });

  it('in what is minted without a page', async () => {
    const h = await start({ autoApprove: 'alice@example.com' });
    const { device_code } = await h.device();
    const { body } = await h.poll(device_code);
    for (const name of ['audience', 'resource', 'scope']) {
      const texts = textsFor(name);
      await all(texts, (text) => h.mint(String(body['id_token']), { [name]: text }));
      await all(texts, (text) => h.askForDevice({ audience: SERVICE, [name]: text }));
    }
  });

  it('in a path, a query, a header and a cookie', async () => {
    const h = await start();
    const escaped = withHostile((text) => encodeURIComponent(text.toWellFormed()));
    for (const path of [
      '/device?user_code=',
      '/consent?request=',
      '/consents?audience=',
      '/login?return_to=',
      '/',
    ]) {
      await all(escaped, (text) => h.send('GET', path + text));
    }
    const plain = HOSTILE_TEXTS.filter((text) => /^[\x20-\x7e]*$/.test(text));
    for (const name of ['authorization', 'cookie', 'accept', 'content-type', 'origin']) {
      for (const before of ['', 'Bearer ', 'Basic ', '__Host-agent-auth-provider=']) {
        await all(plain, (text) =>
          h.send('GET', '/consents', { headers: { [name]: before + text } }),
        );
        await all(plain, (text) =>
          h.send('GET', '/oauth2/userinfo', { headers: { [name]: before + text } }),
        );
      }
    }
  });

  it('in the form of each page', async () => {
    const h = await start();
    const user = h.newUser();
    const forms = [
      ['/login', { email: 'alice@example.com' }, ['email', 'return_to', 'csrf_token']],
      ['/device', { user_code: 'x' }, ['user_code', 'decision', 'csrf_token']],
      ['/consent', { request: 'x' }, ['request', 'decision', 'csrf_token']],
      ['/consents', { audience: SERVICE }, ['audience', 'event', 'action', 'csrf_token']],
    ] as const;
    for (const [path, fields, members] of forms) {
      const page = await user.openSignedIn(`${ISSUER}/device`, 'alice@example.com');
      const token = page.document.querySelector('[name=csrf_token]')?.getAttribute('value') ?? '';
      const cookie = [...user.cookies].map((pair) => pair.join('=')).join('; ');
      for (const member of members) {
        await all(textsFor(member), (text) =>
          h.form(
            path,
            { csrf_token: token, ...fields, [member]: text },
            { cookie, origin: ISSUER },
          ),
        );
      }
    }
  });

  it('in each text of a control', async () => {
    const h = await start();
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const control = (path: string, body: object) =>
      h.send('POST', `/__mock${path}`, { headers, body: JSON.stringify(body) });
    const escaped = withHostile((text) => encodeURIComponent(text.toWellFormed()));
    await all(escaped, (id) => control(`/outbox/${id}/send`, {}));
    await all(HOSTILE_TEXTS, (text) => control('/faults', { faults: [text] }));
    await all(HOSTILE_TEXTS, (text) => control('/clock', { advance: text }));
  });
}
