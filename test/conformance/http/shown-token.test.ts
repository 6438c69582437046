import { describe, expect, it } from 'vitest';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { FakeClock } from '../../../src/runtime/index.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const SIGNATURE = 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const HEADER = { alg: 'ES256', typ: 'oauth-id-jag+jwt' };

function tokensOf(body: string, answer = '') {
  const recorder = new Recorder(new FakeClock());
  const request = { from: 'suite', to: 'service', method: 'POST', url: 'https://s.example/' };
  recorder.begin({ ...request, headers: [], body }).end({
    status: 200,
    headers: [],
    body: answer,
    duration: 1,
  });
  const [exchange] = recorder.exchanges();
  return { tokens: exchange?.tokens, text: JSON.stringify(exchange), recorder };
}

describe('a JWT of an exchange', () => {
  it('is shown by its header and claims, under its mark, and never with its signature', () => {
    const token = `${part(HEADER)}.${part({ iss: 'https://p.example', sub: 'u1' })}.${SIGNATURE}`;
    const { tokens, text, recorder } = tokensOf(JSON.stringify({ assertion: token }));
    expect(tokens).toEqual([
      {
        mark: recorder.redactor.mark(token),
        header: HEADER,
        claims: { iss: 'https://p.example', sub: 'u1' },
      },
    ]);
    expect(text).toContain(`"assertion\\":\\"${recorder.redactor.mark(token)}`);
    expect(text).not.toContain(SIGNATURE);
    expect(text).not.toContain(part(HEADER));
  });

  it('is shown of an event, of an answer, and once', () => {
    const event = `${part({ typ: 'secevent+jwt' })}.${part({ events: { a: {} } })}.${SIGNATURE}`;
    expect(tokensOf(event, event).tokens).toHaveLength(1);
  });

  it('has no secret of its claims', () => {
    const claims = { access_token: 'at_0123456789abcdefghij', sub: 'u1' };
    const { text } = tokensOf(`${part(HEADER)}.${part(claims)}.${SIGNATURE}`);
    expect(text).toContain('u1');
    expect(text).not.toContain(claims.access_token);
  });

  it('is left out where neither part is a JSON object, and there is none in other exchanges', () => {
    expect(tokensOf('eyJhbGciOiJub.eyJ.x').tokens).toBeUndefined();
    expect(tokensOf('{"type":"anonymous"}').tokens).toBeUndefined();
  });
});
