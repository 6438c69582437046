import { endlessHead, judgeStalled, refusedOrClosed } from '../../target/bad-connections.ts';
import { providerScenario } from '../provider-world.ts';

export const providerConnections = providerScenario({
  id: 'provider-connections',
  title: 'Requests that never end do not block the provider',
  safe: true,
  checks: {
    'header-flood': 'A megabyte of header fields is answered 4xx, or the connection is closed.',
    head: 'A request whose header never ends is answered, or its connection is closed.',
    body: 'A request whose body never arrives is answered, or its connection is closed.',
  },
  costly: true,
  dangerous: true,
  async run(judge, world) {
    const { metadataUrl } = world.facts;
    const chunks = endlessHead(metadataUrl, world.invented.header());
    const flood = await world.recorder.oddly('a megabyte of header fields', () =>
      world.raw(metadataUrl, { chunks }),
    );
    // One that has died of it has refused nothing.
    if (flood.closed) await world.send(metadataUrl);
    judge.table(flood, { 'header-flood': refusedOrClosed });
    const url = world.client.endpoint('tokenEndpoint');
    await judgeStalled(judge, world, url, 'application/x-www-form-urlencoded');
  },
});
