import { header, isAbsent } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const headerInjection = serviceScenario({
  id: 'header-injection',
  title: 'No value of a request injects a header into the answer',
  safe: true,
  checks: {
    split: 'CR and LF in URLs and parameters add no header.',
    challenge: 'A URL with quotes leaves the challenge readable and adds no parameter.',
  },
  async run(judge, world) {
    const { client, facts, invented } = world;
    const mark = invented.header();
    const split = `${invented.word()}\r\n${mark}: ${invented.word()}\r\n\r\nx`;
    const expectWhole = (answer: Answer, where: string) =>
      judge.table(answer, { split: header(mark, isAbsent) }, { case: where });
    const encoded = encodeURIComponent(split);
    for (const name of ['grant_type', 'scope', 'resource', 'assertion']) {
      const form = { grant_type: invented.urn(), assertion: invented.token(), [name]: split };
      expectWhole(await client.token(form), name);
    }
    const { revocationEndpoint, resource } = facts;
    if (revocationEndpoint !== undefined) {
      const form = { token: invented.token(), token_type_hint: split };
      expectWhole(await client.postForm(revocationEndpoint, form), 'token_type_hint');
    }
    if (resource === undefined) {
      const none = whyNoResource(world.facts);
      judge.skip('challenge', none.reason, none);
      return;
    }
    for (const url of [`${resource}/${encoded}`, `${resource}?${invented.word()}=${encoded}`]) {
      expectWhole(await world.send(url), 'URL');
      const headers = [['authorization', `Bearer ${invented.token()}`]] as const;
      expectWhole(await world.send(url, { headers }), 'URL');
    }
    const planted = invented.word();
    const quoted = await world.send(`${resource}/%22,%20error=%22${planted}`);
    if (quoted.status !== 401) {
      judge.skip('challenge', 'A URL with quotes is answered without a challenge.');
      return;
    }
    const field = quoted.header('www-authenticate') ?? '';
    const parameters = readChallenges(field)?.flatMap((each) => each.parameters);
    const isPlanted = parameters?.some(([name, value]) => name === 'error' && value === planted);
    const isIntact = parameters !== undefined && isPlanted !== true;
    judge.table(quoted, { challenge: header('WWW-Authenticate', () => isIntact) });
  },
});
