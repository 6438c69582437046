import type { Invented } from '../../../engine/invented.ts';
import { mediaType, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isErrorText } from '../../steps/error-text.ts';

function hostile(invented: Invented): string {
  const [one, two, three] = [invented.word(), invented.word(), invented.word()];
  return `${one}"${two}\\${three}\u0007\u00fc\u202e<script>`;
}

export const errorTexts = serviceScenario({
  id: 'error-texts',
  title: 'Errors of the token and revocation endpoints follow RFC 6749',
  safe: true,
  checks: {
    json: 'An error is a JSON object with a string as `error`.',
    'media-type': 'An error is sent as application/json.',
    status: 'The status of an error is 400 where no other one is required.',
    language: 'An error has the same code, whatever language Accept-Language asks for.',
    characters:
      '`error` and `error_description` are printable ASCII without quotes and backslashes.',
  },
  restsOn: { status: 'error-texts.json' },
  async run(judge, world) {
    await judgeLanguage();
    for (const answer of await errorsOf(world)) {
      // What is not refused is no error: others judge that it has to be.
      if (answer.status < 400) continue;
      const isError = answer.string('error') !== undefined;
      judge.table(answer, { json: { ok: isError }, status: status(400) });
      if (!isError) continue;
      judge.table(answer, {
        'media-type': mediaType('application/json'),
        characters: [member('error', isErrorText), member('error_description', isErrorText)],
      });
    }

    async function judgeLanguage(): Promise<void> {
      const word = world.invented.word();
      for (const ask of [
        (headers: HeaderList) => world.client.token({ grant_type: word }, headers),
        (headers: HeaderList) => world.client.identity({ type: word }, headers),
      ]) {
        const { errorCode } = await ask([]);
        if (errorCode === undefined) continue;
        const answer = await ask([['accept-language', 'de, fr;q=0.8']]);
        const expected = `the code ${errorCode}, as without Accept-Language`;
        judge.table(answer, { language: { ok: answer.errorCode === errorCode, expected } });
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
    await client.token({ grant_type: word }, [['accept', 'text/html']]),
  ];
  if (facts.revocationEndpoint === undefined) return answers;
  return [...answers, await client.postForm(facts.revocationEndpoint, { token_type_hint: text })];
}
