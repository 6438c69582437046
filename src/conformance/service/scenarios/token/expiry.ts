import { SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { errorCode, header, refused, status } from '../../../engine/rows.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustOpen } from '../../steps/controls.ts';
import { fullAssertion } from '../../steps/new-registration.ts';

export const expiry = serviceScenario({
  id: 'token-expiry',
  title: 'Tokens and assertions expire when they say',
  checks: {
    'still-good': 'A token is taken until shortly before it expires.',
    'token-over': 'An expired token is answered with 401.',
    'told-alike': 'An expired token is answered exactly as an unknown one.',
    'assertion-over': 'An expired assertion is refused.',
    'assertion-code': 'An expired assertion is answered invalid_grant.',
  },
  costly: true,
  async run(judge, world) {
    const { client, time } = world;
    const assertion = await fullAssertion(world);
    const granted = await client.exchange(assertion);
    const token = world.must(granted, 'access_token', 'an exchange');
    const lifetime = granted.member('expires_in');
    const MARGIN = 5;
    if (typeof lifetime === 'number') await outlive(lifetime);
    else {
      const reason = 'The token answer does not say in expires_in when its token expires.';
      judge.skip(['still-good', 'token-over', 'told-alike'], reason);
    }
    await outliveAssertion();

    async function outlive(lifetime: number): Promise<void> {
      const fresh = (await mustOpen(world, token)).status;
      if (lifetime > 4 * MARGIN) {
        await time.pass((lifetime - 2 * MARGIN) * SECOND);
        const late = await client.call(token);
        const expected = `${fresh} ten seconds before it expires, as at first`;
        judge.table(late, { 'still-good': status(fresh) }, { expected });
        await time.pass(3 * MARGIN * SECOND);
      } else {
        await time.pass((lifetime + MARGIN) * SECOND);
      }
      const expired = await client.call(token);
      judge.table(expired, { 'token-over': status(401) });
      const unknown = await client.call(world.invented.token());
      const challenge = unknown.header('www-authenticate');
      const isAlike = expired.status === unknown.status && expired.text === unknown.text;
      judge.table(expired, {
        'told-alike': header('WWW-Authenticate', (own) => isAlike && own === challenge, {
          expected: `${challenge}, as for an unknown token`,
        }),
      });
    }

    async function outliveAssertion(): Promise<void> {
      const end = openJwt(assertion)?.claims['exp'];
      if (typeof end !== 'number') {
        throw new NotApplicable('The assertion does not say in exp when it expires.');
      }
      const left = end * SECOND - time.now();
      if (left > 0) await time.pass(left + MARGIN * SECOND);
      const late = await client.exchange(assertion);
      judge.table(late, {
        'assertion-over': refused,
        'assertion-code': errorCode('invalid_grant'),
      });
    }
  },
});
