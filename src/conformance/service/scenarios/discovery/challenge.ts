import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import { challenge as bearer, header, isAbsent, status } from '../../../engine/rows.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { namingHost } from '../../steps/forged-hosts.ts';
import { isDocument, resourceDocuments, serverDocument } from '../../steps/metadata-documents.ts';
import { insertedUrl, isSecureUrl, metadataHint, protectedUrl } from '../../steps/urls.ts';

export const challenge = serviceScenario({
  id: 'challenge',
  title: 'A call without a token is referred to the metadata',
  safe: true,
  checks: {
    open: 'A call without a token is answered with no success.',
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
  restsOn: {
    bearer: 'challenge.grammar',
    once: 'challenge.grammar',
    'no-error': 'challenge.grammar',
    'metadata-hint': 'challenge.grammar',
    'bad-token-hint': ['challenge.grammar', 'challenge.metadata-hint'],
  },
  async run(judge, world) {
    const url = protectedUrl(world);
    const answer = await world.client.call(undefined);
    // RFC 9110 §15: an error with status 200 gives nothing away.
    const isOpen = answer.ok && answer.errorCode === undefined;
    if (!judge.expect('open', !isOpen, answer)) return;
    if (!judge.table(answer, { unauthenticated: status(401) })) return;
    const field = answer.header('www-authenticate');
    const challenges = readChallenges(field ?? '');
    const parameters = challenges?.find(({ scheme }) => scheme === 'bearer')?.parameters ?? [];
    const names = parameters.map(([name]) => name);
    const hint = metadataHint(answer);
    if (field !== undefined) {
      judge.table(answer, { grammar: header('WWW-Authenticate', () => challenges !== undefined) });
    }
    const hasParameter = names.length > 0 || hint !== undefined;
    judge.table(answer, { bearer: header('WWW-Authenticate', () => hasParameter) });
    if (field === undefined) return;
    if (challenges !== undefined) {
      judge.table(answer, {
        once: header('WWW-Authenticate', () => new Set(names).size === names.length),
        'no-error': bearer('error', isAbsent),
      });
    }
    judge.table(answer, { 'metadata-hint': header('WWW-Authenticate', () => isSecureUrl(hint)) });
    const bad = await world.client.call(world.invented.token());
    const isReferred = bad.status !== 401 || isSecureUrl(metadataHint(bad));
    judge.table(bad, { 'bad-token-hint': header('WWW-Authenticate', () => isReferred) });
    if (!isSecureUrl(hint)) return;
    const expected = insertedUrl(url, PROTECTED_RESOURCE_PATH);
    judge.table(answer, {
      'inserted-hint': header('WWW-Authenticate', () => hint === expected, { expected }),
    });
    const metadata = await world.send(hint);
    const leads = isDocument(metadata) && Array.isArray(metadata.member('authorization_servers'));
    judge.expect('leads-to-metadata', leads, metadata);
  },
});

export const hostileHeaders = serviceScenario({
  id: 'hostile-headers',
  title: 'No header of a caller changes the URLs of the service',
  safe: true,
  checks: {
    forwarded: 'The host of a forwarding header appears in no document and no challenge.',
    host: 'A foreign Host appears in no document and no challenge.',
    unchanged: 'Later answers without these headers do not name the foreign host.',
  },
  async run(judge, world) {
    const { resource } = world.facts;
    const evil = world.elsewhere;
    const documents = [...(await resourceDocuments(world)), await serverDocument(world)];
    const urls = [
      ...new Set([...documents.map(({ url }) => url), ...(resource ? [resource] : [])]),
    ];
    const before = await textsOf(world, urls);
    for (const [check, headers] of namingHost(evil)) {
      for (const url of urls) {
        const answer = await ask(world, url, headers);
        if (answer === undefined) continue;
        const all = `${answer.text}${answer.headers.map(([, value]) => value).join('\n')}`;
        // A server that does not serve this host may name it in its error.
        const isOurs = answer.status === 200 || answer.status === 401;
        const { exchange } = answer;
        const seen = answer.status === 401 ? answer.header('www-authenticate') : undefined;
        judge.expect(check, !(isOurs && all.includes(evil)), seen ?? answer, { exchange });
      }
    }
    const after = await textsOf(world, urls);
    const poisoned = urls.filter(
      (_url, at) => after[at]?.includes(evil) && !before[at]?.includes(evil),
    );
    judge.expect('unchanged', poisoned.length === 0, `${evil} in ${poisoned.join(', ')}`);
  },
});

async function ask(world: ServiceWorld, url: string, headers: HeaderList) {
  try {
    return await world.send(url, { headers });
  } catch (error) {
    // Closing the connection refuses it too.
    if (error instanceof NoAnswer && error.kind === 'broken') return undefined;
    throw error;
  }
}

async function textsOf(world: ServiceWorld, urls: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const url of urls) {
    const answer = await world.send(url);
    texts.push(answer.text + (answer.header('www-authenticate') ?? ''));
  }
  return texts;
}
