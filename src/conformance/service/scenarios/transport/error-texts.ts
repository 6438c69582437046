import type { Invented } from '../../../engine/invented.ts';
import { mediaType, member, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { isErrorText } from '../../steps/answers.ts';

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
  resting: { 'error-texts.json': ['status'] },
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

/** What only a stack, a query or a path of the server looks like, as JSON or HTML has it too. */
const INTERNALS: readonly RegExp[] = [
  /(?:^|\\n|\n|<br>)\s*at [^\n"]*?:\d+:\d+\)?/,
  /Traceback \(most recent call last\)|\.py\\?", line \d+/,
  /\bat [\w$.<>]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  /\.rb:\d+:in |\.php(?: on line |:)\d+|\.cs:line \d+/,
  /goroutine \d+ \[\w+\]/,
  /SQLSTATE\[|SQLITE_ERROR|syntax error at or near|ORA-\d{5}/,
];

interface Leaking {
  readonly what: string;
  readonly answer: Answer;
  /** Made up, and as secret as a real one. */
  readonly secret?: string;
}

export const errorLeaks = serviceScenario({
  id: 'error-leaks',
  title: 'Errors show neither the inside of the service nor the secrets that were sent',
  safe: true,
  checks: {
    internals: 'An error shows no stack, no file and no query of the service.',
    status: 'An answer that names an error has a status from 400 on.',
    secrets: 'An error does not repeat the assertion, claim token or access token that was sent.',
  },
  async run(judge, world) {
    for (const { what, answer, secret } of await leakingErrors(world)) {
      if (answer.status < 400 && !answer.refused) continue;
      const more = { case: what, exchange: answer.exchange };
      judge.expect('status', answer.status >= 400, answer, more);
      const shown = INTERNALS.map((pattern) => pattern.exec(answer.text)?.[0]).find(Boolean);
      judge.expect('internals', shown === undefined, `It shows ${JSON.stringify(shown)}.`, more);
      if (secret === undefined) continue;
      const isRepeated = answer.text.includes(secret);
      judge.expect('secrets', !isRepeated, 'The answer contains what was sent.', more);
    }
  },
});

async function leakingErrors(world: ServiceWorld): Promise<readonly Leaking[]> {
  const { client, facts, invented } = world;
  const identity = client.endpoint('identityEndpoint');
  const [assertion, claimToken, accessToken] = [
    invented.token(),
    invented.token(),
    invented.token(),
  ];
  const found: Leaking[] = [
    { what: 'broken JSON', answer: await client.postJson(identity, '{"type":') },
    { what: 'another JSON type', answer: await client.postJson(identity, { type: {} }) },
    { what: 'a list', answer: await client.postJson(identity, '[]') },
    { what: 'an unknown path', answer: await world.send(`${identity}/${invented.word()}`) },
    { what: 'a broken URL', answer: await world.send(`${identity}/%ff%zz`) },
    { what: 'no parameter', answer: await client.token({}) },
    { what: 'an assertion', answer: await client.exchange(assertion), secret: assertion },
    { what: 'an ID-JAG', answer: await client.registerByIdJag(assertion), secret: assertion },
  ];
  if (facts.claimEndpoint !== undefined) {
    const answer = await client.startClaim(claimToken, world.userEmail());
    found.push({ what: 'a claim token', answer, secret: claimToken });
  }
  if (facts.eventsEndpoint !== undefined) {
    found.push({ what: 'an event', answer: await client.notify(assertion), secret: assertion });
  }
  if (facts.claimGrant !== undefined) {
    const answer = await client.poll(claimToken);
    found.push({ what: 'a poll', answer, secret: claimToken });
  }
  if (facts.resource !== undefined) {
    const answer = await client.call(accessToken);
    found.push({ what: 'an access token', answer, secret: accessToken });
  }
  return found;
}
