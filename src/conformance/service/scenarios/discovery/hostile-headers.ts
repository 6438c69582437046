import type { HeaderList } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { resourceDocuments, serverDocument } from '../../steps/metadata-documents.ts';

const forwarded = (evil: string): readonly HeaderList[] => [
  [['x-forwarded-host', evil]],
  [
    ['x-forwarded-host', evil],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '4443'],
    ['x-forwarded-prefix', `/${evil}`],
  ],
  [['forwarded', `host=${evil};proto=https`]],
  [['x-original-host', evil]],
  [['x-host', evil]],
  [
    ['x-original-url', `/${evil}`],
    ['x-rewrite-url', `/${evil}`],
  ],
];

const hosts = (evil: string): readonly HeaderList[] => [
  [['host', evil]],
  [['host', `${evil}:4443`]],
];

export const hostileHeaders = serviceScenario({
  id: 'hostile-headers',
  title: 'What a caller says of the host changes no address',
  safe: true,
  checks: {
    forwarded: 'No forwarding header gets into a document or a challenge.',
    host: 'A foreign Host gets into no document and no challenge.',
    unchanged: 'The documents after it are those of before.',
  },
  async run(judge, world) {
    const { resource } = world.facts;
    const evil = world.elsewhere;
    const documents = [...(await resourceDocuments(world)), await serverDocument(world)];
    const urls = [
      ...new Set([...documents.map(({ url }) => url), ...(resource ? [resource] : [])]),
    ];
    const before = await textsOf(world, urls);
    for (const [check, variants] of [
      ['forwarded', forwarded(evil)],
      ['host', hosts(evil)],
    ] as const) {
      for (const headers of variants) {
        for (const url of urls) {
          const answer = await ask(world, url, headers);
          if (answer === undefined) continue;
          const all = `${answer.text}${answer.headers.map(([, value]) => value).join('\n')}`;
          // A server that does not know the host may say so: only what looks like an answer of ours counts.
          const isOurs = answer.status === 200 || answer.status === 401;
          judge.expect(
            check,
            !(isOurs && all.includes(evil)),
            answer.status === 401 ? (answer.header('www-authenticate') ?? '') : answer,
            { exchange: answer.exchange },
          );
        }
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
    // To break off is as good as to refuse.
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
