import { readContent } from '../../../pages/page-content.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustAsk } from '../../steps/existing-account.ts';
import { Hops } from '../../steps/hops.ts';
import { Markup } from '../../steps/injected-markup.ts';
import { complete, openClaim } from '../../steps/open-claim.ts';

export const providerName = serviceScenario({
  id: 'provider-name',
  title: 'An ID-JAG says who its provider would like to be',
  checks: {
    'not-from-token': 'The name of a provider on the claim page does not come from the ID-JAG.',
    'no-other-claims': 'Nor does the page show what else the ID-JAG says of its agent.',
    'not-markup': 'Markup in the claims of an ID-JAG is shown as text, if at all.',
    'provider-told': 'The page for an ID-JAG says more than that for an agent that has none.',
    'first-time': 'It says so when a provider speaks for an account for the first time.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const account = await openClaim(world);
    const { email } = account;
    world.must((await complete(world, account)).polled, 'access_token', 'a completed claim');
    const ask = async (
      claims: Readonly<Record<string, unknown>>,
      provider = world.providers.provider,
    ) => {
      const { subject } = world.freshSubject();
      const question = mustAsk(
        await world.client.registerByIdJag(world.idJag({ subject, email }, { claims }, provider)),
      );
      const page = await new Hops(world).toCode(question.claim.verificationUri, email);
      return { ...question, page, text: readContent(page.answer, page.url).text };
    };

    // Words that stand in the ID-JAG and nowhere else.
    const { invented } = world;
    const said = {
      client_name: `${invented.name()} Bank`,
      agent_platform: `${invented.name()} Platform`,
      name: invented.name(),
    };
    const forged = await ask(said);
    judge.expect(
      'not-from-token',
      !forged.text.includes(said.client_name),
      `“${said.client_name}”, which the ID-JAG says`,
      { exchange: forged.page.answer.exchange },
    );
    const shown = [said.agent_platform, said.name].filter((text) => forged.text.includes(text));
    judge.expect('no-other-claims', shown.length === 0, shown.join(', '), {
      exchange: forged.page.answer.exchange,
    });
    const markups = new Markup(invented);
    for (const markup of markups.texts.slice(0, 5)) {
      const { page } = await ask({ client_name: markup, name: markup, agent_platform: markup });
      judge.expect(
        'not-markup',
        !markups.isPartOf(page.answer, page.url),
        'an element or an attribute made of it',
        { exchange: page.answer.exchange },
      );
    }

    const plain = await openClaim(world, email);
    const hops = new Hops(world);
    const opened = await hops.signIn(await hops.visitor.open(plain.claim.verificationUri), email);
    const without = readContent(opened.answer, opened.url).text;
    judge.expect('provider-told', unlike(without, forged.text), 'two pages that say the same', {
      exchange: forged.page.answer.exchange,
    });

    const first = await ask({});
    await complete(world, { ...first, email, id: undefined });
    const second = await ask({});
    judge.expect('first-time', unlike(first.text, second.text), 'two pages that say the same', {
      exchange: first.page.answer.exchange,
    });
  },
});

/** But for what is another one each time: times, numbers. */
function unlike(one: string, another: string): boolean {
  return one.replace(/\d+/g, '') !== another.replace(/\d+/g, '');
}
