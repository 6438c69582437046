import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { readContent } from '../../../pages/page-content.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { NOBODY_IS_ASKED } from '../../steps/account-access.ts';
import type { ShownPage } from '../../steps/agent-supplied-markup.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { mustRequireInteraction } from '../../steps/existing-account.ts';
import { Hops } from '../../steps/hops.ts';
import { differ, Markup, textOf } from '../../steps/injected-markup.ts';
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
  restsOn: { 'shown-as-text': 'page-injection.agent-words' },
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

/** As a browser asks, to which a service may answer with a page. */
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
