import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf, objects } from '../../steps/directory.ts';

const OPEN = [
  '/api/methods.{format}',
  '/api/versions.{format}',
  '/api/changelog.{format}',
  '/server/time.{format}',
  '/server/codes.{format}',
] as const;

/** As published. */
const CODES: Readonly<Record<number, string>> = {
  200: 'Request successful',
  204: 'No data returned',
  401: 'Invalid API key',
  403: 'The provided API key has been banned',
  429: 'API request limit reached',
  501: 'Invalid method',
  511: 'API key is required (?key=)',
};

export const directorySiblings = serviceScenario({
  id: 'directory-siblings',
  title: 'The methods beside the listing',
  safe: true,
  checks: {
    open: 'methods, versions, changelog, time and codes answer without a token, in the envelope.',
    'same-methods': 'The method `methods` tells the same ids and addresses as the listing.',
    parameters: 'It names the variables of each address, and `format`, as parameters.',
    codes: 'The method `codes` tells exactly the published codes and messages.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const answers = new Map<string, Answer>();
    for (const end of OPEN) {
      const method = directory.find(end);
      const answer = method && (await directory.call(method.template));
      judge.expect(
        'open',
        answer?.status === 200 && metaOf(answer)['status'] === 200,
        answer ?? 'no such method in the listing',
        { expected: `200 at ${end}` },
      );
      if (answer?.ok) answers.set(end, answer);
    }
    judgeMethods();
    const codes = answers.get('/server/codes.{format}');
    if (codes === undefined) {
      judge.skip('codes', 'The method `codes` does not answer.');
      return;
    }
    const told = objects(codes.member('data')).map(({ code, message }) => `${code} ${message}`);
    const published = Object.entries(CODES).map(([code, message]) => `${code} ${message}`);
    judge.expect(
      'codes',
      told.toSorted().join('\n') === published.toSorted().join('\n'),
      told.join(', '),
      { expected: published.join(', '), exchange: codes.exchange },
    );

    function judgeMethods(): void {
      const methods = answers.get('/api/methods.{format}');
      if (methods === undefined) {
        judge.skip(['same-methods', 'parameters'], 'The method `methods` does not answer.');
        return;
      }
      const entries = objects(methods.member('data'));
      const ours = directory.methods().map(({ id, template }) => `${id} ${template}`);
      const theirs = entries.map(({ method_id: id, method_url: url }) => `${id} ${url}`);
      const odd = [
        ...ours.filter((line) => !theirs.includes(line)),
        ...theirs.filter((line) => !ours.includes(line)),
      ];
      judge.expect('same-methods', odd.length === 0, odd.slice(0, 3).join(', '), {
        exchange: methods.exchange,
      });
      const wrong = entries.find(({ method_url: url, parameters }) => {
        const wanted = [...String(url).matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
        const named = Array.isArray(parameters) ? parameters.map(String) : [];
        return parameters !== null && wanted.toSorted().join() !== named.toSorted().join();
      });
      judge.expect('parameters', wrong === undefined, JSON.stringify(wrong), {
        exchange: methods.exchange,
      });
    }
  },
});
