import type { Invented } from '../../../engine/invented.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

/** RFC 6749 §5.2: no quotes, no backslash, no control character, nothing beyond ASCII. */
const ALLOWED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function hostile(invented: Invented): string {
  const [one, two, three] = [invented.word(), invented.word(), invented.word()];
  return `${one}"${two}\\${three}\u0007\u00fc\u202e<script>`;
}

export const errorTexts = serviceScenario({
  id: 'error-texts',
  title: 'Errors of the token and the revocation endpoint follow RFC 6749',
  safe: true,
  checks: {
    json: 'An error is a JSON object with a text as `error`.',
    'media-type': 'It is sent as application/json.',
    status: 'Its status is 400 where no other is due.',
    characters: 'Its texts have none but the allowed characters, whatever the request had.',
  },
  async run(judge, world) {
    for (const answer of await errorsOf(world)) {
      const isError = judge.expect('json', answer.string('error') !== undefined, answer);
      judge.expect('status', answer.status === 400, answer);
      if (!isError) continue;
      judge.expect(
        'media-type',
        answer.mediaType === 'application/json',
        `Content-Type: ${answer.header('content-type') ?? 'none'}`,
        { exchange: answer.exchange },
      );
      for (const name of ['error', 'error_description']) {
        judge.expect('characters', ALLOWED.test(answer.string(name) ?? ''), answer, {
          expected: `printable ASCII without quotes and backslashes in ${name}`,
        });
      }
    }
  },
});

async function errorsOf(world: ServiceWorld): Promise<readonly Answer[]> {
  const { client, facts, invented } = world;
  const word = invented.word();
  const text = hostile(invented);
  const answers = [
    await client.token({ grant_type: text }),
    await client.exchange(text),
    await client.exchange(word, { scope: text }),
    await client.exchange(word, { resource: text }),
    await client.token({}),
  ];
  if (facts.revocationEndpoint === undefined) return answers;
  return [...answers, await client.postForm(facts.revocationEndpoint, { token_type_hint: text })];
}
