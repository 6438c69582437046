import { describe, expect, it } from 'vitest';
import { redactUrl } from '../../src/cli/shell/redact-url.ts';
import { Redactor as SuiteRedactor } from '../../src/conformance/http/redact.ts';
import { hideCredentials } from '../../src/mcp/secrets/hide-credentials.ts';
import { SecretMask } from '../../src/mcp/secrets/secret-mask.ts';
import { watchFetch } from '../../src/mcp/secrets/watch.ts';
import { Redactor } from '../../src/traffic/redactor.ts';

/** Nothing but its name tells that it is one. */
const OPAQUE = 'Zx9opaqueSecret77';

/** Every name under which a secret of the protocol family travels. */
const NAMES = [
  ...['access_token', 'refresh_token', 'id_token', 'subject_token', 'actor_token'],
  ...['claim_token', 'claim_attempt_token', 'identity_assertion', 'assertion', 'client_assertion'],
  ...['device_code', 'client_secret', 'registration_access_token', 'credential', 'api_key'],
  ...['accessToken', 'clientSecret', 'identityAssertion', 'password', 'csrf_token'],
];

describe.each(NAMES)('a secret under the name %s', (name) => {
  const json = JSON.stringify({ [name]: OPAQUE });
  const query = `https://api.example/x?${name}=${OPAQUE}`;

  it('was shown in an answer to call, where another list of names stood', () => {
    for (const text of [json, JSON.stringify({ body: json })]) {
      expect(hideCredentials(text)).not.toContain(OPAQUE);
    }
    expect(hideCredentials(query)).not.toContain(OPAQUE);
  });

  it.each([json, `${name}=${OPAQUE}`])('is known to the mask once it was sent', async (body) => {
    const mask = new SecretMask();
    const fetch = watchFetch(() => Promise.resolve(new Response()), mask);
    await fetch('https://api.example/x', { method: 'POST', body });
    expect(mask.hide(`It was ${OPAQUE}.`)).not.toContain(OPAQUE);
  });

  it('is in no record, no line of --debug and no report', () => {
    const record = new Redactor(() => 'secret~12345678');
    expect(JSON.stringify(record.body(JSON.parse(json), false))).not.toContain(OPAQUE);
    expect(record.url(query)).not.toContain(OPAQUE);
    expect(redactUrl(query)).not.toContain(OPAQUE);
  });
});

it('leaves the token of the next page, which a model needs', () => {
  for (const name of ['page_token', 'nextPageToken', 'continuation_token', 'sync_token']) {
    const text = JSON.stringify({ [name]: OPAQUE });
    expect(hideCredentials(text)).toBe(text);
    expect(hideCredentials(`/list?${name}=${OPAQUE}`)).toBe(`/list?${name}=${OPAQUE}`);
  }
});

it('trusts nobody in the suite: what it is told to conceal is in no text of it', () => {
  const suite = new SuiteRedactor();
  suite.conceal(OPAQUE);
  for (const text of [OPAQUE, encodeURIComponent(OPAQUE), JSON.stringify({ any: OPAQUE })]) {
    expect(suite.text(text)).not.toContain(OPAQUE);
  }
});
