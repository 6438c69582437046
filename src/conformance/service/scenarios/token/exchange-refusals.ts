import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const exchangeRefusals = serviceScenario({
  id: 'exchange-refusals',
  title: 'Requests for a token that are not right are refused, each by its code',
  checks: {
    refused: 'A request that is not right gets no token.',
    missing: 'A request without grant_type or assertion is answered invalid_request.',
    'bad-assertion': 'An assertion that is none is answered invalid_grant.',
    repeated: 'A parameter given twice is answered invalid_request.',
    'one-jwt': 'Several JWTs, or a JWT in JSON, are no assertion.',
    get: 'A request by GET gets no token.',
  },
  async run(judge, world) {
    const { client } = world;
    const assertion = await someAssertion(world);
    const right = { grant_type: JWT_BEARER_GRANT, assertion };
    const expectRefused = (answer: Answer, what: string) =>
      judge.expect(
        'refused',
        answer.refused && answer.string('access_token') === undefined,
        answer,
        { expected: `no token for a request with ${what}` },
      );
    const expectCode = (
      check: 'missing' | 'bad-assertion' | 'repeated',
      code: string,
      answer: Answer,
      what: string,
    ) => {
      expectRefused(answer, what);
      judge.expect(check, answer.errorCode === code, answer, {
        expected: `${code} for a request with ${what}`,
      });
    };
    for (const [what, form] of [
      ['nothing in it', {}],
      ['no grant_type', { assertion }],
      ['no assertion', { grant_type: JWT_BEARER_GRANT }],
      ['an empty assertion', { ...right, assertion: '' }],
    ] as const) {
      expectCode('missing', 'invalid_request', await client.token(form), what);
    }
    for (const [what, bad] of [
      ['a word as assertion', world.invented.word()],
      ['three dots as assertion', '...'],
      ['half an assertion', assertion.slice(0, assertion.length / 2)],
    ] as const) {
      expectCode('bad-assertion', 'invalid_grant', await client.exchange(bad), what);
    }
    const url = client.endpoint('tokenEndpoint');
    const scope = world.invented.scope();
    for (const [name, value] of [
      ['grant_type', JWT_BEARER_GRANT],
      ['assertion', assertion],
      ['scope', scope],
    ] as const) {
      const first: [string, string][] = name === 'scope' ? [['scope', scope]] : [];
      const form: [string, string][] = [...Object.entries(right), ...first, [name, value]];
      const answer = await client.postForm(url, form, { from: 'agent' });
      expectCode('repeated', 'invalid_request', answer, `two of ${name}`);
    }
    const [protectedHeader = '', payload = '', signature = ''] = assertion.split('.');
    for (const several of [
      `${assertion} ${assertion}`,
      `${assertion},${assertion}`,
      JSON.stringify({ protected: protectedHeader, payload, signature }),
      JSON.stringify({ payload, signatures: [{ protected: protectedHeader, signature }] }),
    ]) {
      const answer = await client.exchange(several);
      judge.expect('one-jwt', answer.refused, answer);
    }
    const query = new URLSearchParams(right).toString();
    const got = await world.send(`${url}?${query}`, { from: 'agent' });
    judge.expect('get', !got.ok && got.string('access_token') === undefined, got);
  },
});
