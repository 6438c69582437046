import { expect, it } from 'vitest';
import { exchangeJson, transcript } from '../../../src/traffic/index.ts';
import { bothMocks, type Flows, runAllFlows } from './all-flows.ts';

/** Drawn at random: upper case, lower case and digits in one word. Nothing that a program is named by looks so. */
const DRAWN = /(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{16,}/g;
/** In JSON, in a form, and in the fields of a page. */
const CODE = /user_code(?:\\?":\\?"|=|"[^>]* value=")([\w-]{6,})/g;
/** What may be known: the names of registrations and attempts, and the public keys. */
const NO_SECRET = /^(?:reg|cla|usr)_/;

/** Every secret that went over the wire, taken from the wire itself. */
function secretsOf(wire: readonly string[]): ReadonlySet<string> {
  // What is escaped ends at its escapes, whatever they stand for.
  const texts = wire.map((text) => text.replaceAll(/%[0-9A-F]{2}/gi, ' '));
  const keys = texts.filter((text) => text.startsWith('{"keys"')).flatMap(drawnIn);
  const codes = texts.flatMap((text) => [...text.matchAll(CODE)].map(([, code = '']) => code));
  const words = [...texts.flatMap(drawnIn), ...codes];
  return new Set(words.filter((word) => !NO_SECRET.test(word) && !keys.includes(word)));
}

function drawnIn(text: string): readonly string[] {
  return text.match(DRAWN) ?? [];
}

function expectNoSecret({ log, wire }: Flows): void {
  const { exchanges } = log.read();
  const shown = [exchanges, exchanges.map(exchangeJson), transcript(exchanges)]
    .map((output) => JSON.stringify(output))
    .flatMap((output) => [output, output.replaceAll('%25', '%').replaceAll(/%[0-9A-F]{2}/gi, ' ')])
    .join('\n');
  const found = [...secretsOf(wire)].filter((secret) =>
    secret.length < 16 ? new RegExp(`\\b${secret}\\b`).test(shown) : shown.includes(secret),
  );
  expect(found).toEqual([]);
}

it('shows no secret that went over the wire in any flow', async () => {
  const flows = await runAllFlows();
  const secrets = [...secretsOf(flows.wire)];
  // The search would find them: they are on the wire.
  for (const prefix of ['clm_', 'cat_', 'at_', 'eyJ', 'dc_']) {
    expect(secrets.filter((secret) => secret.startsWith(prefix))).not.toEqual([]);
  }
  expect(secrets.filter((secret) => /^\d{6}$/.test(secret)).length).toBeGreaterThan(2);
  expect(flows.log.read().exchanges.length).toBeGreaterThan(50);
  expectNoSecret(flows);
});

it('shows none where nobody expects one', async () => {
  const flows = await bothMocks();
  const { fetch, service } = flows;
  const json = { 'content-type': 'application/json' };
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.issuer + path, { method: 'POST', body, headers });
    return JSON.parse((await response.text()) || '{}') as Record<string, string>;
  };
  const registered = await post('/agent/identity', '{"type":"anonymous"}', json);
  const claim = String(registered['claim_token']);
  const assertion = String(registered['identity_assertion']);
  const started = await post(
    '/agent/identity/claim',
    JSON.stringify({ claim_token: claim, email: 'alice@example.com' }),
    json,
  );
  const attempt = started['claim_attempt'] as unknown as Record<string, string>;
  const code = String(attempt['user_code']);
  const link = String(attempt['verification_uri']);
  const nested = encodeURIComponent(`/login?return_to=${encodeURIComponent(link)}`);

  await post('/nothing', `no JSON: {"claim_token": "${claim}", "user_code": "${code}"`, json);
  await post('/nothing', `The code is ${code}, the link ${link}.`, {
    'content-type': 'text/plain',
  });
  await post('/nothing', JSON.stringify({ note: { text: [`see ${claim}`, code] } }), json);
  await post('/nothing', JSON.stringify({ [claim]: 1, token: { deep: [code] } }), json);
  await post('/nothing', `user_code=${code}&x=${nested}&x=2`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  await post('/nothing', `x=${'y'.repeat(16_380)}${claim}`);
  await post(`/nothing/${claim}?access_token=${assertion}&code=${code}`, '');
  await post(`/c/${code}`, '');
  await post(`/%63/x%2F${encodeURIComponent(claim)}`, '');
  await post('/nothing', '', {
    authorization: claim,
    'x-api-key': 'a b',
    cookie: `a=${claim}; ${code}`,
    referer: `${service.issuer}/login?return_to=${nested}`,
    'x-note': `token="${code}" and ${claim}`,
  });
  await post('/nothing', '', { authorization: `Basic ${code}`, 'proxy-authorization': assertion });

  const secrets = secretsOf(flows.wire);
  for (const secret of [claim, code, ...assertion.split('.')]) expect(secrets).toContain(secret);
  expectNoSecret(flows);
});
