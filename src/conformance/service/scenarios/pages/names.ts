import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { FROM, postForm } from '../../../pages/forged-forms.ts';
import type { PageForm } from '../../../pages/forms.ts';
import { readContent } from '../../../pages/page-content.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decisionValues } from '../../../user/form-user.ts';
import { signInForm } from '../../../user/sign-in-form.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustRequireInteraction, NOBODY_IS_ASKED } from '../../steps/account-access.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { Hops } from '../../steps/hops.ts';
import {
  differ,
  Markup,
  pagesWithAgentMarkup,
  type ShownPage,
  textOf,
} from '../../steps/injected-markup.ts';
import { NamedAgents } from '../../steps/named-agents.ts';
import { naming, namingMembers } from '../../steps/naming-members.ts';
import { approveClaim, openClaim } from '../../steps/open-claim.ts';

export const agentNames = serviceScenario({
  id: 'agent-names',
  title: 'An agent puts markup into the members by which it names itself',
  checks: {
    'shown-as-text':
      'Markup in the members by which an agent names itself is shown as text, on every page and in mails.',
    'no-script-link': 'No page links to a script that such a member names.',
    'error-pages': 'Markup in a request is shown as text in the error page that answers it.',
  },
  resting: { 'page-injection.agent-words': ['shown-as-text'] },
  async run(judge, world) {
    await mustTakeRegistrations(world);
    const markups = new Markup(world.invented);
    const members = namingMembers(world.namingMembers);
    for (const answer of await errorsOf(world, members, markups)) {
      const url = world.facts.identityEndpoint ?? world.facts.issuer;
      const isText = !markups.isPartOf(answer, url);
      judge.expect('error-pages', isText, MADE, answer);
    }

    const agents = new NamedAgents(world, members);
    for (const [at, kind] of agents.kinds.entries()) {
      // One is enough to see that another kind of registration is shown as carefully.
      for (const markup of at === 0 ? markups.texts.slice(0, 5) : markups.texts.slice(1, 2)) {
        for (const page of await agents.shown(kind, markup)) expectText(page);
      }
    }
    const script = `javascript:${world.invented.word()}()`;
    for (const kind of agents.kinds.slice(0, 1)) {
      for (const page of await agents.shown(kind, script)) expectNoLink(page, script);
    }
    judge.skip(
      ['shown-as-text', 'no-script-link'],
      'The service opens no claim for such an agent.',
    );

    function expectText({ answer, url }: ShownPage): void {
      judge.expect('shown-as-text', !markups.isPartOf(answer, url), MADE, answer);
    }

    function expectNoLink({ answer, url }: ShownPage, script: string): void {
      const { leads, links, loaded } = readContent(answer, url);
      const isLinked = [...leads, ...links, ...loaded].some((link) => link.startsWith(script));
      judge.expect('no-script-link', !isLinked, 'a link of it', answer);
    }
  },
});

const MADE = 'an element or an attribute made of it';

/** What a browser accepts, to which a service may answer with a page. */
const AS_BROWSER: HeaderList = [['accept', 'text/html,application/xhtml+xml']];

/** What wrong requests are answered that hold markup where a service may repeat it. */
async function errorsOf(
  world: ServiceWorld,
  members: readonly string[],
  { texts }: Markup,
): Promise<readonly Answer[]> {
  const { client, facts } = world;
  const sending = { headers: AS_BROWSER, from: 'agent' };
  const identity = client.endpoint('identityEndpoint');
  const answers: Answer[] = [];
  for (const markup of texts.slice(0, 2)) {
    for (const body of [
      { type: markup, ...naming(members, markup) },
      { type: 'service_auth', login_hint: markup },
      { type: 'identity_assertion', assertion: markup },
      { [markup]: markup },
      `{"type":"${markup}`,
    ]) {
      answers.push(await client.postJson(identity, body, sending));
    }
    answers.push(await world.send(`${identity}/${encodeURIComponent(markup)}`, sending));
    for (const body of [
      { claim_token: markup, email: `${world.invented.word()}@${world.elsewhere}` },
      { claim_token: world.invented.token(), email: markup },
    ]) {
      if (facts.claimEndpoint === undefined) continue;
      answers.push(await client.postJson(facts.claimEndpoint, body, sending));
    }
    const token = facts.tokenEndpoint;
    for (const form of [
      { grant_type: markup },
      { grant_type: JWT_BEARER_GRANT, assertion: markup },
      { grant_type: facts.claimGrant ?? markup, claim_token: markup },
    ]) {
      if (token !== undefined) answers.push(await client.postForm(token, form, sending));
    }
    const resource = facts.resource;
    if (resource === undefined) continue;
    const headers = [...AS_BROWSER, ['authorization', `Bearer ${markup}`] as const];
    answers.push(await world.send(resource, { ...sending, headers }));
  }
  return answers;
}

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
      judge.expect('not-markup', isText, 'an element or an attribute made of it', page.answer);
    }

    const other = await openClaim(world, email);
    const hops = new Hops(world);
    const first = await hops.visitor.open(other.claim.verificationUri);
    const withoutIdJag = textOf(await hops.signIn(first, email));
    judge.expect('provider-told', differ(withoutIdJag, forged.text), SAME_TEXT, { exchange });
  },
});

const SAME_TEXT = 'two pages with the same text';

type Check = 'sign-in-form' | 'link' | 'claim-form' | 'agent-words';

export const pageInjection = serviceScenario({
  id: 'page-injection',
  title: 'Somebody puts markup into what the pages show',
  checks: {
    'sign-in-form': 'Markup that is typed into the sign-in is shown as text.',
    link: 'Markup in the URL of a page is shown as text.',
    'claim-form': 'Markup that is sent with the form of a claim is shown as text.',
    'agent-words':
      "Markup that an agent puts into its user's email or its own name is shown as text.",
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const markups = new Markup(world.invented);
    const { texts } = markups;
    const expectText = (check: Check, answer: Answer, url: string) => {
      const { exchange } = answer;
      const isText = !markups.isPartOf(answer, url);
      judge.expect(check, isText, 'an element or an attribute made of it', { exchange });
    };

    const hops = new Hops(world);
    const signInPage = await hops.toSignIn(claim.verificationUri);
    const signIn = signInForm(signInPage);
    if (signIn === undefined) return;
    for (const markup of texts) {
      for (const value of [markup, `${markup}@${world.elsewhere}`]) {
        const typed = signIn.fields
          .filter(({ type }) => type === 'email' || type === 'text')
          .map(({ name }) => [name, value]);
        const page = await hops.visitor.submit(signInPage, signIn, Object.fromEntries(typed));
        expectText('sign-in-form', page.answer, page.url);
      }
    }

    for (const markup of texts.slice(0, 3)) {
      for (const { answer, url } of await pagesWithAgentMarkup(world, markup, markups)) {
        expectText('agent-words', answer, url);
      }
    }
    judge.skip('agent-words', 'The service opens no claim for an agent that does so.');

    const page = await new Hops(world).toCode(claim.verificationUri, email);
    const signedIn = new Hops(world);
    await signedIn.toCode(claim.verificationUri, email);
    const unasked = world.invented.word();
    for (const markup of texts) {
      for (const [visitor, target] of [
        [world.visitor(), claim.verificationUri],
        [world.visitor(), signInPage.url],
        [signedIn.visitor, page.url],
      ] as const) {
        const { answer, url } = await visitor.open(withMarkup(target, markup, unasked));
        expectText('link', answer, url);
      }
    }

    const claimForm = (await signedIn.visitor.open(page.url)).forms.find(asksForCode);
    if (claimForm === undefined) return;
    const { action } = claimForm;
    const blank = decisionValues(claimForm, { userCode: '', decision: 'approve', email });
    for (const name of fieldNames(claimForm)) {
      // Too many wrong codes would end the claim: a few tries are enough to see an echo.
      for (const markup of texts.slice(1, 4)) {
        const values = { ...claimForm.values, ...blank, [name]: markup };
        const answer = await postForm(signedIn.visitor, action, values, FROM.ownPage(action));
        expectText('claim-form', answer, action);
      }
    }
  },
});

function fieldNames({ fields }: PageForm): readonly string[] {
  const buttons = ['submit', 'button', 'reset', 'image'];
  return fields
    .filter(({ name, type }) => name !== '' && !buttons.includes(type))
    .map(({ name }) => name);
}

/** Markup in every parameter of a URL, in the usual ones and in one that nobody asked for. */
function withMarkup(target: string, markup: string, unasked: string): string {
  const url = new URL(target);
  for (const name of new Set([...url.searchParams.keys(), 'return_to', 'error', unasked])) {
    const value = url.searchParams.get(name) ?? '/';
    url.searchParams.set(name, `${value}${markup}`);
  }
  return url.href;
}
