import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { NOBODY_IS_ASKED } from '../../steps/account-access.ts';
import { shownBy } from '../../steps/answers.ts';
import { mustRequireInteraction } from '../../steps/existing-account.ts';
import { Hops } from '../../steps/hops.ts';
import { Markup } from '../../steps/injected-markup.ts';
import { approveClaim, openClaim } from '../../steps/open-claim.ts';
import { differ, textOf } from '../../steps/page-text.ts';

export const providerName = serviceScenario({
  id: 'provider-name',
  title: 'An ID-JAG claims a name for its provider',
  checks: {
    'not-from-token': 'The name of a provider on the claim page does not come from the ID-JAG.',
    'not-markup': 'Markup in the claims of an ID-JAG is shown as text, if at all.',
    'provider-told': 'The claim page for an ID-JAG differs from that for an agent without one.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const account = await openClaim(world);
    const { email } = account;
    world.must((await approveClaim(world, account)).polled, 'access_token', 'a completed claim');
    const ask = async (claims: Readonly<Record<string, unknown>>) => {
      const { subject } = world.freshSubject();
      const idJag = world.idJag({ subject, email }, { claims });
      const asked = await world.client.registerByIdJag(idJag);
      if (asked.ok) throw new NotApplicable(NOBODY_IS_ASKED);
      const interaction = mustRequireInteraction(asked);
      const page = await new Hops(world).toCode(interaction.claim.verificationUri, email);
      return { ...interaction, page, text: textOf(page), exchange: page.answer.exchange };
    };

    // Words that stand in the ID-JAG and nowhere else.
    const { invented } = world;
    const client_name = `${invented.name()} Bank`;
    const forged = await ask({ client_name });
    const { exchange } = forged;
    judge.table(
      forged,
      {
        'not-from-token': {
          ok: !forged.text.includes(client_name),
          seen: `“${client_name}”, the client_name of the ID-JAG`,
        },
      },
      { exchange },
    );
    const markups = new Markup(invented);
    for (const markup of markups.texts.slice(0, 5)) {
      const { page } = await ask({ client_name: markup, name: markup, agent_platform: markup });
      const isText = !markups.isPartOf(page.answer, page.url);
      judge.expect(
        'not-markup',
        isText,
        'an element or an attribute made of it',
        shownBy(page.answer),
      );
    }

    const other = await openClaim(world, email);
    const hops = new Hops(world);
    const first = await hops.visitor.open(other.claim.verificationUri);
    const withoutIdJag = textOf(await hops.signIn(first, email));
    judge.expect('provider-told', differ(withoutIdJag, forged.text), SAME_TEXT, { exchange });
  },
});

const SAME_TEXT = 'two pages with the same text';
