import { NeedsOption } from '../../../engine/judge.ts';
import { judgePart } from '../../../engine/judge-part.ts';
import { crossAppScenario } from '../../cross-app/cross-app-scenario.ts';
import { isMinted, signedBy } from '../../steps/rows.ts';

const AT_ONCE = 20;

/** Between publishing a key and signing with it. Milliseconds. */
const LEAD = 300_000;

export const idpCodeRace = crossAppScenario({
  id: 'idp-code-race',
  title: 'A client redeems its code many times at once',
  checks: { parallel: 'Of twenty redemptions of a code at once, one succeeds.' },
  blockedBy: ['idp-code.redeemed'],
  costly: true,
  dangerous: true,
  async run(judge, app) {
    const form = app.redeemForm(await app.authorize());
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => app.client.redeem(form)),
    );
    const given = answers.filter(isMinted);
    judge.expect('parallel', given.length <= 1, `${given.length} of ${AT_ONCE} succeed`, {
      exchange: given.at(-1)?.exchange,
    });
  },
});

export const idpKeyRotation = crossAppScenario({
  id: 'idp-key-rotation',
  title: 'The identity provider rotates its signing key',
  checks: {
    'published-first': 'An ID-JAG is always signed by a key that is published by then.',
    'old-id-token': 'An ID token by the old key is still exchanged while it is valid.',
  },
  restsOn: { 'published-first': 'idp-key-rotation.old-id-token' },
  blockedBy: ['idp-exchange.minted'],
  costly: true,
  dangerous: true,
  async run(judge, app) {
    const { control, time } = app.world;
    if (control === undefined) {
      throw new NeedsOption(
        'Only a control API can rotate the keys of the provider: name it with --control.',
        '--control',
      );
    }
    const session = await app.session();
    await app.idJag(session);
    await control.rotate(LEAD);
    for (const when of ['before', 'after']) {
      if (when === 'after') await time.pass(LEAD + 1000);
      const keys = await app.world.keySet();
      const old = await app.exchange(session);
      judge.expect('old-id-token', isMinted(old), old, { case: `${when} the new key signs` });
      await judgePart(judge, 'published-first', async () => {
        const answer = await app.exchange(await app.session());
        judge.table(
          app.open(app.mustMint(answer)),
          { 'published-first': (jwt) => signedBy(jwt, keys) },
          { case: `${when} it signs`, exchange: answer.exchange },
        );
      });
    }
  },
});
