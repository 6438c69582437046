import type { HeaderList } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { namingHost } from '../../steps/forged-hosts.ts';
import { resourceDocuments, serverDocument } from '../../steps/metadata-documents.ts';

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
