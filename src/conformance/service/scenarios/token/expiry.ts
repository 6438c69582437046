import { SECOND } from '../../../../protocol/index.ts';
import { CannotTest } from '../../../engine/judge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { fullAssertion } from '../../steps/new-registration.ts';

export const expiry = serviceScenario({
  id: 'token-expiry',
  title: 'Tokens and assertions end when they said they would',
  checks: {
    'still-good': 'A token is good until shortly before its end.',
    'token-over': 'A token is refused after its end.',
    'told-alike': 'A token that is over is answered as any bad token is.',
    'assertion-over': 'An assertion is refused after its end.',
    'assertion-code': 'An assertion that is over is answered invalid_grant.',
  },
  async run(judge, world) {
    const { client, time } = world;
    const assertion = await fullAssertion(world);
    const granted = await client.exchange(assertion);
    const token = world.must(granted, 'access_token', 'an exchange');
    const lifetime = granted.member('expires_in');
    if (typeof lifetime !== 'number') throw new CannotTest('The service says no expires_in.');
    const good = (await client.call(token)).status;
    const MARGIN = 5;
    if (lifetime > 4 * MARGIN) {
      await time.pass((lifetime - 2 * MARGIN) * SECOND);
      const late = await client.call(token);
      judge.expect('still-good', late.status === good, late, {
        expected: `${good} ten seconds before the end, as in the beginning`,
      });
      await time.pass(3 * MARGIN * SECOND);
    } else {
      await time.pass((lifetime + MARGIN) * SECOND);
    }
    const over = await client.call(token);
    judge.expect('token-over', over.status === 401, over);
    const unknown = await client.call(world.invented.token());
    const isAlike =
      over.status === unknown.status &&
      over.text === unknown.text &&
      over.header('www-authenticate') === unknown.header('www-authenticate');
    judge.expect('told-alike', isAlike, over.header('www-authenticate') ?? 'No WWW-Authenticate.', {
      expected: `${unknown.header('www-authenticate')}, as for an unknown token`,
      exchange: over.exchange,
    });
    const end = openJwt(assertion)?.claims['exp'];
    if (typeof end !== 'number') throw new CannotTest('The assertion does not say when it ends.');
    const left = end * SECOND - time.now();
    if (left > 0) await time.pass(left + MARGIN * SECOND);
    const late = await client.exchange(assertion);
    judge.expect('assertion-over', late.refused, late);
    judge.expect('assertion-code', late.errorCode === 'invalid_grant', late);
  },
});
