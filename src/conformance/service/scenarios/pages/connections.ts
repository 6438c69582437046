import { NotApplicable } from '../../../engine/judge.ts';
import type { PageForm } from '../../../pages/forms.ts';
import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { asUrl, FROM, led, post, tokenNames, without } from '../../steps/forged-forms.ts';
import { Hops } from '../../steps/hops.ts';
import { complete, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

/** Where the wire contract has it. */
const PATH = '/connections';

export const connections = serviceScenario({
  id: 'connections',
  title: 'A user looks who has access, and ends it',
  checks: {
    listed: 'The page lists each registration of its user, and none of anybody else.',
    'foreign-page': 'A form that a foreign page sends ends nothing, and neither does a GET.',
    'others-kept': 'Nobody ends the registration of another account.',
    ended: 'What the user ends has access no longer: neither its token nor its assertion.',
    'for-good': 'Nothing brings an ended registration back.',
    'end-told': 'A poll of an ended registration is answered invalid_grant.',
    'only-that': 'Another registration of the same user goes on.',
  },
  async run(judge, world) {
    const mine = await claimed(world);
    const page = await at(mine.hops, mine.page);
    const form = endingForm(page, mine.id);
    const theirs = await claimed(world);
    const foreign = readContent(page.answer, page.url).text.includes(theirs.id);
    if (form === undefined && !isAboutAgents(page, mine.id)) {
      throw new NotApplicable(
        `The page at ${PATH} is about something else: no agent stands on it.`,
      );
    }
    judge.expect(
      'listed',
      form !== undefined && !foreign,
      foreign ? "somebody else's registration" : page.answer,
      { exchange: page.answer.exchange },
    );
    if (form === undefined) {
      throw new NotApplicable('No form of the page names the registration: nothing can be ended.');
    }
    const lives = async ({ token }: Claimed) => (await world.client.call(token)).status !== 401;

    const elsewhere = new Hops(world);
    const other = await elsewhere.signIn(await elsewhere.visitor.open(mine.link), mine.email);
    const twin = endingForm(await at(elsewhere, other), mine.id);
    const bare = without(form.values, twin === undefined ? [] : tokenNames(form, twin));
    const forged = await post(
      mine.hops.visitor,
      form.action,
      bare,
      FROM.foreignPage(world.elsewhere),
    );
    await led(mine.hops.visitor, asUrl(form.action, bare));
    const kept = judge.expect('foreign-page', await lives(mine), forged);

    const strangers = endingForm(await at(theirs.hops, theirs.page), theirs.id);
    if (strangers !== undefined && kept) {
      const values = Object.fromEntries(
        Object.entries(strangers.values).map(([name, value]) => [
          name,
          value === theirs.id ? mine.id : value,
        ]),
      );
      const tried = await post(
        theirs.hops.visitor,
        strangers.action,
        values,
        FROM.ownPage(strangers.action),
      );
      judge.expect('others-kept', await lives(mine), tried);
    }

    const second = await claimed(world, mine.email);
    const latest = await at(mine.hops, mine.page);
    const ended = await mine.hops.visitor.submit(latest, endingForm(latest, mine.id) ?? form, {});
    const exchanged = await world.client.exchange(mine.assertion);
    judge.expect('ended', !(await lives(mine)) && !isGranted(exchanged), exchanged, {
      exchange: ended.answer.exchange,
    });
    judge.expect('only-that', await lives(second), '401', { exchange: ended.answer.exchange });
    const started = await world.client.startClaim(mine.claimToken, mine.email);
    const polled = await pollPatiently(world, mine.claimToken);
    judge.expect('for-good', !started.ok && !isGranted(polled), started.ok ? started : polled);
    judge.expect('end-told', polled.errorCode === 'invalid_grant', polled);
  },
});

interface Claimed {
  readonly id: string;
  readonly email: string;
  readonly link: string;
  readonly claimToken: string;
  readonly token: string;
  readonly assertion: string;
  readonly hops: Hops;
  /** The last one of the claim. */
  readonly page: Page;
}

/** A registration that its user has claimed, and who sits there signed in. @throws CannotTest */
async function claimed(world: ServiceWorld, email?: string): Promise<Claimed> {
  const open = await openClaim(world, email);
  if (open.id === undefined) {
    throw new NotApplicable('The service names no registration_id to look for on its page.');
  }
  const { page, polled, hops } = await complete(world, open);
  return {
    ...open,
    id: open.id,
    link: open.claim.verificationUri,
    hops,
    page,
    token: world.must(polled, 'access_token', 'a completed claim'),
    assertion: world.must(polled, 'identity_assertion', 'a completed claim'),
  };
}

/** @throws NotApplicable where there is no such page: where a service lists agents is its own affair. */
async function at({ visitor }: Hops, { url }: Page): Promise<Page> {
  const page = await visitor.open(new URL(PATH, url).href);
  if (page.answer.ok && page.answer.mediaType === 'text/html') return page;
  throw new NotApplicable(`The service has no page at ${PATH}.`);
}

/** Whether it names the registration, or calls itself by what it lists here. */
function isAboutAgents({ answer, forms, url }: Page, id: string): boolean {
  const { links, text } = readContent(answer, url);
  return (
    [text, ...links].some((shown) => shown.includes(id)) ||
    /\bagents?\b/i.test(text) ||
    forms.some(({ fields }) => fields.some(({ name }) => name === 'registration_id'))
  );
}

/** The form that names a registration. */
function endingForm({ forms }: Page, id: string): PageForm | undefined {
  return forms.find(({ values }) => Object.values(values).includes(id));
}
