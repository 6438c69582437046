import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import { challenge as bearer, header, is, isAbsent, status, when } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isDocument } from '../../steps/metadata-documents.ts';
import { insertedUrl, isSecureUrl, metadataHint, protectedUrl } from '../../steps/urls.ts';

export const challenge = serviceScenario({
  id: 'challenge',
  title: 'A call without a token is referred to the metadata',
  safe: true,
  checks: {
    unauthenticated: 'A protected URL answers 401 to a call without a token.',
    bearer: 'The 401 carries a Bearer challenge with at least one parameter.',
    grammar: 'WWW-Authenticate follows the grammar of challenges.',
    once: 'The Bearer challenge has no parameter twice.',
    'metadata-hint': '`resource_metadata` of the challenge is an https URL, or http on loopback.',
    'leads-to-metadata': '`resource_metadata` leads to metadata that has `authorization_servers`.',
    'inserted-hint': '`resource_metadata` is the requested URL with the well-known path inserted.',
    'no-error': 'The challenge for a call without credentials has no `error`.',
    'bad-token-hint': 'The 401 for a bad token has `resource_metadata` too.',
  },
  async run(judge, world) {
    const url = protectedUrl(world);
    const answer = await world.client.call(undefined);
    if (!judge.table(answer, { unauthenticated: status(401) })) return;
    const field = answer.header('www-authenticate');
    const challenges = readChallenges(field ?? '');
    const parameters = challenges?.find(({ scheme }) => scheme === 'bearer')?.parameters ?? [];
    const names = parameters.map(([name]) => name);
    if (field !== undefined) {
      judge.table(answer, { grammar: header('WWW-Authenticate', () => challenges !== undefined) });
      if (challenges === undefined) return;
    }
    judge.table(answer, { bearer: header('WWW-Authenticate', () => names.length > 0) });
    if (field === undefined) return;
    judge.table(answer, {
      once: header('WWW-Authenticate', () => new Set(names).size === names.length),
      'no-error': bearer('error', isAbsent),
      'metadata-hint': bearer('resource_metadata', isSecureUrl),
    });
    const bad = await world.client.call(world.invented.token());
    const isReferred = when(bad.status === 401, isSecureUrl);
    judge.table(bad, { 'bad-token-hint': bearer('resource_metadata', isReferred) });
    const hint = metadataHint(answer);
    if (!isSecureUrl(hint)) return;
    const expected = insertedUrl(url, PROTECTED_RESOURCE_PATH);
    judge.table(answer, {
      'inserted-hint': bearer('resource_metadata', is(expected), { expected }),
    });
    const metadata = await world.send(hint);
    const leads = isDocument(metadata) && Array.isArray(metadata.member('authorization_servers'));
    judge.expect('leads-to-metadata', leads, metadata);
  },
});
