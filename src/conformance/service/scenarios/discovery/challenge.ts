import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import { shown } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { type Challenge, readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isDocument } from '../../steps/metadata-documents.ts';
import { insertedUrl, isSecureUrl, metadataHint, protectedUrl } from '../../steps/urls.ts';

export const challenge = serviceScenario({
  id: 'challenge',
  title: 'A call without a token is told where to learn more',
  safe: true,
  checks: {
    unauthenticated: 'A protected address answers 401 to a call without a token.',
    bearer: 'The 401 carries a Bearer challenge with at least one parameter.',
    grammar: 'The field WWW-Authenticate follows the grammar of challenges.',
    once: 'No parameter of the Bearer challenge stands twice.',
    'metadata-hint': 'The challenge names in resource_metadata an absolute address that is safe.',
    'leads-to-metadata': 'That address leads to metadata which names authorization servers.',
    'inserted-hint':
      'That address is the one of the requested address, with the well-known path inserted.',
    'no-error': 'A call without credentials is told no error.',
    'bad-token-hint': 'The 401 for a bad token carries resource_metadata too.',
  },
  async run(judge, world) {
    const address = protectedUrl(world);
    const answer = await world.client.call(undefined);
    const is401 = judge.expect('unauthenticated', answer.status === 401, answer);
    if (!is401) return;
    const field = answer.header('www-authenticate');
    const bearer = bearerOf(answer);
    const carries = { expected: 'a Bearer challenge with parameters', exchange: answer.exchange };
    if (field === undefined) {
      judge.expect('bearer', false, 'No WWW-Authenticate.', { ...carries });
      return;
    }
    const readable = judge.expect('grammar', readChallenges(field) !== undefined, field, {
      exchange: answer.exchange,
    });
    if (!readable) return;
    judge.expect('bearer', (bearer?.parameters.length ?? 0) > 0, field, { ...carries });
    const names = (bearer?.parameters ?? []).map(([name]) => name);
    judge.expect('once', new Set(names).size === names.length, field, {
      exchange: answer.exchange,
    });
    judge.expect('no-error', !names.includes('error'), field, { exchange: answer.exchange });
    const bad = await world.client.call(world.invented.token());
    const badHint = metadataHint(bad);
    judge.expect(
      'bad-token-hint',
      bad.status !== 401 || isSecureUrl(badHint),
      bad.header('www-authenticate') ?? 'No WWW-Authenticate.',
      { exchange: bad.exchange },
    );
    const hint = metadataHint(answer);
    const isSafe = judge.expect(
      'metadata-hint',
      isSecureUrl(hint),
      hint === undefined ? field : shown(hint),
      { exchange: answer.exchange },
    );
    if (!isSafe || hint === undefined) return;
    judge.expect('inserted-hint', hint === insertedUrl(address, PROTECTED_RESOURCE_PATH), hint, {
      expected: insertedUrl(address, PROTECTED_RESOURCE_PATH),
      exchange: answer.exchange,
    });
    const metadata = await world.send(hint);
    const leads = isDocument(metadata) && Array.isArray(metadata.member('authorization_servers'));
    judge.expect('leads-to-metadata', leads, metadata);
  },
});

function bearerOf(answer: Answer): Challenge | undefined {
  return readChallenges(answer.header('www-authenticate') ?? '')?.find(
    ({ scheme }) => scheme === 'bearer',
  );
}
