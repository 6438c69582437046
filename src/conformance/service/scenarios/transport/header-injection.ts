import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const headerInjection = serviceScenario({
  id: 'header-injection',
  title: 'No value of a request gets into a header of the answer as more than a value',
  safe: true,
  checks: {
    split: 'Line ends in addresses and parameters add no header.',
    challenge: 'An address with quotes leaves the challenge readable and adds no parameter.',
  },
  async run(judge, world) {
    const { client, facts, invented } = world;
    const mark = invented.header();
    const split = `${invented.word()}\r\n${mark}: ${invented.word()}\r\n\r\nx`;
    const expectWhole = (answer: Answer, where: string) =>
      judge.expect(
        'split',
        !answer.headers.some(([name]) => name === mark),
        `${mark}: ${answer.header(mark)}`,
        {
          expected: `no header ${mark}, which the request had in ${where}`,
          exchange: answer.exchange,
        },
      );
    const encoded = encodeURIComponent(split);
    for (const name of ['grant_type', 'scope', 'resource', 'assertion']) {
      const form = { grant_type: invented.urn(), assertion: invented.token(), [name]: split };
      expectWhole(await client.token(form), `the parameter ${name}`);
    }
    const { revocationEndpoint, resource } = facts;
    if (revocationEndpoint !== undefined) {
      const form = { token: invented.token(), token_type_hint: split };
      expectWhole(await client.postForm(revocationEndpoint, form), 'token_type_hint');
    }
    if (resource === undefined) {
      judge.skip('challenge', 'No protected address is known: name one with --resource.');
      return;
    }
    for (const url of [`${resource}/${encoded}`, `${resource}?${invented.word()}=${encoded}`]) {
      expectWhole(await world.send(url), 'its address');
      expectWhole(
        await world.send(url, { headers: [['authorization', `Bearer ${invented.token()}`]] }),
        'its address',
      );
    }
    const planted = invented.word();
    const quoted = await world.send(`${resource}/%22,%20error=%22${planted}`);
    if (quoted.status !== 401) {
      judge.skip('challenge', 'An address with quotes is answered without a challenge.');
      return;
    }
    const field = quoted.header('www-authenticate') ?? '';
    const parameters = readChallenges(field)?.flatMap((each) => each.parameters);
    const isPlanted = parameters?.some(([name, value]) => name === 'error' && value === planted);
    judge.expect('challenge', parameters !== undefined && isPlanted !== true, field, {
      exchange: quoted.exchange,
    });
  },
});
