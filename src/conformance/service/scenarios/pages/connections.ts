import { NotApplicable } from '../../../engine/judge.ts';
import {
  asUrl,
  bareAction,
  FROM,
  followForeignLink,
  postForm,
  tokenNames,
  without,
} from '../../../pages/forged-forms.ts';
import type { PageForm } from '../../../pages/forms.ts';
import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { approveClaim, openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

/** The path in the wire contract. */
const PATH = '/connections';

export const connections = serviceScenario({
  id: 'connections',
  title: 'A user sees who has access, and ends it',
  checks: {
    'foreign-page': 'A form that a foreign page sends ends nothing, and neither does a GET.',
    'others-kept': 'Nobody can end the registration of another account.',
    'for-good': 'Nothing brings an ended registration back.',
  },
  async run(judge, world) {
    const isActive = async ({ token }: Claimed) => (await world.client.call(token)).status !== 401;
    const mine = await claimed(world);
    const page = await connectionsPage(mine.hops, mine.page);
    const form = endingForm(page, mine.id);
    const theirs = await claimed(world);
    if (form === undefined && !isAboutAgents(page, mine.id)) {
      throw new NotApplicable(`The page at ${PATH} is about something else: it names no agent.`);
    }
    if (form === undefined) {
      throw new NotApplicable('No form of the page names the registration: nothing can be ended.');
    }
    const kept = await judgeForeignPage(form);
    if (kept) await judgeOtherUser();

    const latest = await connectionsPage(mine.hops, mine.page);
    await mine.hops.visitor.submit(latest, endingForm(latest, mine.id) ?? form, {});
    const started = await world.client.startClaim(mine.claimToken, mine.email);
    const polled = await pollPatiently(world, mine.claimToken);
    judge.expect('for-good', !started.ok && !isGranted(polled), started.ok ? started : polled);

    async function judgeForeignPage(own: PageForm): Promise<boolean> {
      const again = new Hops(world);
      const other = await again.signIn(await again.visitor.open(mine.link), mine.email);
      const twin = endingForm(await connectionsPage(again, other), mine.id);
      const tokens = twin === undefined ? [] : tokenNames(own, twin);
      const bare = without(own.values, tokens);
      const { visitor } = mine.hops;
      const forged = await postForm(
        visitor,
        bareAction(own.action, tokens),
        bare,
        FROM.foreignPage(world.elsewhere),
      );
      await followForeignLink(visitor, asUrl(bareAction(own.action, tokens), bare));
      return judge.expect('foreign-page', await isActive(mine), forged);
    }

    /** Judges another user who sends their own form, with the id of this registration. */
    async function judgeOtherUser(): Promise<void> {
      const own = endingForm(await connectionsPage(theirs.hops, theirs.page), theirs.id);
      if (own === undefined) return;
      const values = Object.fromEntries(
        Object.entries(own.values).map(([name, value]) => [
          name,
          value === theirs.id ? mine.id : value,
        ]),
      );
      const { visitor } = theirs.hops;
      const tried = await postForm(visitor, own.action, values, FROM.ownPage(own.action));
      judge.expect('others-kept', await isActive(mine), tried);
    }
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
  /** The last page of the claim. */
  readonly page: Page;
}

/** A registration whose user has claimed it and is signed in. @throws CannotTest */
async function claimed(world: ServiceWorld, email?: string): Promise<Claimed> {
  const open = await openClaim(world, email);
  if (open.id === undefined) {
    throw new NotApplicable('The service names no registration_id to look for on its page.');
  }
  const { page, polled, hops } = await approveClaim(world, open);
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

/** @throws NotApplicable where there is no such page: where a service lists agents is its own choice. */
async function connectionsPage({ visitor }: Hops, { url }: Page): Promise<Page> {
  const page = await visitor.open(new URL(PATH, url).href);
  if (page.answer.ok && page.answer.mediaType === 'text/html') return page;
  throw new NotApplicable(`The service has no page at ${PATH}.`);
}

/** Whether the page names the registration, or agents. */
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
