import { MEDIA_TYPE } from '../../../protocol/index.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import { type FormValues, formBody } from '../provider-client.ts';
import { providerScenario } from '../provider-scenario.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';

const { form: FORM_TYPE, json: JSON_TYPE } = MEDIA_TYPE;

/** Far more than a mint needs. Bytes. */
const TOO_MUCH = 10 * 1024 * 1024;

const SEVERAL = 'RFC 8693 §2.1 allows several audiences, of which an ID-JAG has one.';

export const tokenRequests = providerScenario({
  id: 'token-requests',
  title: 'An agent sends right parameters in wrong requests',
  checks: {
    get: 'A mint by GET is refused.',
    json: 'A mint by JSON is refused.',
    labels: 'A mint by JSON that is labelled as a form, or by a form labelled as JSON, is refused.',
    doubled: 'A mint with a parameter given twice is refused.',
    oversized: 'A form of ten megabytes is refused.',
    'header-split': 'Line breaks in a parameter add no header to an answer.',
    secretless: 'A public client mints without a secret.',
  },
  restsOn: { labels: 'token-requests.json' },
  blockedBy: ['mint.minted'],
  dangerous: true,
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { client } = world;
    const good = await world.mintWithConsent(session, audience);
    const asksForMore = ['invalid_client', 'unauthorized_client'].includes(good.errorCode ?? '');
    judge.expect('secretless', !asksForMore, good);
    world.mustMint(good, audience);
    const refused = refusedBy(world.breaking);
    const url = client.endpoint('tokenEndpoint');
    const right: FormValues = {
      client_id: client.clientId,
      ...client.mintForm(session.idToken, audience),
    };
    const get = await world.send(`${url}?${formBody(right)}`, { from: 'agent' });
    judge.expect('get', !isMinted(get), get);
    for (const [check, what, type, body] of [
      ['json', 'JSON', JSON_TYPE, JSON.stringify(right)],
      ['labels', 'JSON labelled as a form', FORM_TYPE, JSON.stringify(right)],
      ['labels', 'a form labelled as JSON', JSON_TYPE, formBody(right)],
    ] as const) {
      const sending = { from: 'agent', headers: [['content-type', type]], body } as const;
      const answer = await world.recorder.oddly(what, () => world.send(url, sending));
      judge.table(answer, { [check]: refused }, { case: what });
    }
    for (const name of ['grant_type', 'audience', 'subject_token'] as const) {
      const body = `${formBody(right)}&${formBody({ [name]: right[name] })}`;
      const sending = { from: 'agent', headers: [['content-type', FORM_TYPE]], body } as const;
      const doubled = await world.recorder.oddly(`two of ${name}`, () => world.send(url, sending));
      const reading = name === 'audience' ? SEVERAL : undefined;
      judge.table(doubled, { doubled: refused }, { case: name, reading });
    }
    const { invented } = world;
    const [name, header] = [invented.member(), invented.header()];
    const query = `?${name}=${encodeURIComponent(`\r\n${header}: 1\r\n`)}`;
    for (const target of [`${world.facts.issuer}/${query}`, world.facts.metadataUrl + query]) {
      const split = await world.send(target);
      judge.expect(
        'header-split',
        split.header(header) === undefined,
        `the header ${header}`,
        split,
      );
    }
    try {
      const sending = {
        from: 'agent',
        // A provider may close the connection before the body ends: use one of its own.
        headers: [
          ['content-type', FORM_TYPE],
          ['connection', 'close'],
        ],
        body: formBody({ ...right, [name]: 'x'.repeat(TOO_MUCH) }),
      } as const;
      const big = await world.recorder.oddly('a body of ten megabytes', () =>
        world.send(url, sending),
      );
      judge.table(big, { oversized: refused });
    } catch (error) {
      // Closing the connection before the body ends is a refusal, too.
      if (!(error instanceof NoAnswer) || error.kind !== 'broken') throw error;
      // But not that of one that has died of it.
      await world.send(world.facts.metadataUrl);
      judge.expect('oversized', true, error.message);
    }
  },
});
