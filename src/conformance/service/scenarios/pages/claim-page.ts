import { header, is, noStore, not } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decide, denying } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-world.ts';
import { stringsIn } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { textOf } from '../../steps/injected-markup.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { referrerPolicy, WITHOUT_PATH } from '../../steps/referrer-policy.ts';

/** How often a prefetching mail client and an undecided user may open a link. */
const VISITS = 6;

export const claimPage = serviceScenario({
  id: 'claim-page',
  title: 'What a user sees before they approve an agent',
  checks: {
    'deny-offered': 'Beside the field for the code there is a button to deny.',
    'account-shown': 'The claim page shows the email of the account that is signed in.',
    'scopes-shown': 'The claim page names what the agent will be able to do.',
    'looking-changes-nothing':
      'Opening a link, however often, neither completes the claim nor uses it up.',
  },
  async run(judge, world) {
    const { claim, email, claimToken } = await openClaim(world);
    const { userCode, verificationUri: link } = claim;
    const hops = new Hops(world);
    const page = await hops.toCode(link, email);
    if (!page.forms.some(asksForCode)) return;
    const text = textOf(page);
    const { exchange } = page.answer;
    const unnamed = stringsIn(world.facts.metadata['scopes_supported']).filter(
      (scope) => !isNamed(scope, text),
    );
    judge.table(
      page,
      {
        // Whether a denial works is judged by polls; words on a page prove nothing.
        'deny-offered': { ok: offersDenial(page), seen: 'no such button' },
        'account-shown': {
          ok: text.toLowerCase().includes(email),
          seen: `a page without ${email}`,
        },
        'scopes-shown': { ok: unnamed.length === 0, seen: `nothing about ${unnamed.join(', ')}` },
      },
      { exchange },
    );

    for (let n = 0; n < VISITS; n += 1) {
      const method = n % 2 === 0 ? 'HEAD' : 'GET';
      await world.visitor().exchange(link, { method });
      await hops.visitor.exchange(page.url, { method });
    }
    const looked = await world.client.poll(claimToken);
    // Some forms are accepted from the latest view of their page only.
    const latest = await hops.visitor.open(page.url);
    const form = latest.forms.find(asksForCode);
    const approval = { userCode, decision: 'approve', email } as const;
    const typed = form && (await decide(hops.visitor, latest, form, approval));
    const claimed = await pollPatiently(world, claimToken);
    judge.expect(
      'looking-changes-nothing',
      !looked.ok && claimed.ok,
      looked.ok ? looked : claimed,
      {
        exchange: looked.ok ? looked.exchange : (typed ?? latest).answer.exchange,
      },
    );
  },
});

function offersDenial(page: Page): boolean {
  const form = page.forms.find(asksForCode);
  if (form === undefined) return false;
  if (denying(page) !== undefined) return true;
  // In words that the suite does not know: its other scenarios cannot use it.
  const choices = form.fields.filter(({ type }) => ['submit', 'button', 'radio'].includes(type));
  return choices.length > 1;
}

/** Whether a text names a scope: by its name, or by the last word of its name: `api.write` → `write`. */
function isNamed(scope: string, text: string): boolean {
  const words = scope.split(/[^a-z]+/i).filter((word) => word.length > 2);
  return [scope, ...words.slice(-1)].some((word) =>
    text.toLowerCase().includes(word.toLowerCase()),
  );
}

export const pageHeaders = serviceScenario({
  id: 'page-headers',
  title: 'What the pages of a claim allow other sites to do with them',
  checks: {
    'not-framed': 'frame-ancestors or X-Frame-Options keeps other sites from framing a page.',
    'not-framed-twice':
      'Both frame-ancestors and X-Frame-Options keep other sites from framing a page.',
    'not-kept': 'Every page has Cache-Control: no-store.',
    'referrer-policy': 'A Referrer-Policy hides the paths of the pages from other origins.',
    'own-content': 'The pages load nothing from another origin.',
    'not-readable': 'No Access-Control-Allow-Origin lets another origin read them.',
  },
  resting: { 'page-headers.not-framed': ['not-framed-twice'] },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const hops = new Hops(world);
    const signInPage = await hops.toSignIn(claim.verificationUri);
    const codePage = await hops.toCode(claim.verificationUri, email);
    const form = codePage.forms.find(asksForCode);
    const approval = { userCode: claim.userCode, decision: 'approve', email } as const;
    const lastPage = form && (await decide(hops.visitor, codePage, form, approval));
    const foreignOrigin = `https://${world.elsewhere}`;

    for (const [name, page] of [
      ['the sign-in page', signInPage],
      ['the claim page', codePage],
    ] as const) {
      const { links, loaded } = readContent(page.answer, page.url);
      const foreign = loaded.filter((url) => !isOwn(page)(url));
      const isLinkedAbroad = !links.every(isOwn(page));
      const [byPolicy, byHeader] = framing(page.answer);
      const policy = referrerPolicy(page.answer);
      judge.table(
        page.answer,
        {
          'not-framed': headersRow(byPolicy || byHeader, ...FRAMING),
          'not-framed-twice': headersRow(byPolicy && byHeader, ...FRAMING),
          'referrer-policy': [
            headersRow(policy !== undefined && WITHOUT_PATH.includes(policy), 'referrer-policy'),
            // A page with links to other origins sends them its own, unless it is no-referrer.
            {
              ok: !isLinkedAbroad || policy === 'no-referrer',
              expected: 'no-referrer, since the page links to another origin',
              seen: `Referrer-Policy: ${policy ?? 'none'}`,
              reading: 'RFC 9700 §4.2.4 names no policy: others hide the path as well.',
            },
          ],
          'own-content': { ok: foreign.length === 0, seen: foreign.join(', ') },
        },
        { case: name },
      );
      const asked = await hops.visitor.exchange(page.url, {
        headers: [
          ['origin', foreignOrigin],
          ['sec-fetch-site', 'cross-site'],
        ],
      });
      const readers = not(is('*', 'null', foreignOrigin));
      const rows = { 'not-readable': header('Access-Control-Allow-Origin', readers) };
      judge.table(asked, rows, { case: name });
    }
    for (const page of [signInPage, codePage, lastPage]) {
      if (page !== undefined) judge.table(page.answer, { 'not-kept': noStore });
    }
  },
});

const FRAMING = ['content-security-policy', 'x-frame-options'];

/** Whether it keeps itself from frames: by `frame-ancestors`, by `X-Frame-Options`. */
function framing(answer: Answer): readonly [boolean, boolean] {
  const ancestors = policiesOf(answer)
    .map((policy) => directives(policy).get('frame-ancestors'))
    .filter((sources) => sources !== undefined);
  const isOpen = (source: string) => /^(\*|https?:|https?:\/\/\*)$/.test(source);
  return [
    ancestors.some((sources) => !sources.some(isOpen)),
    /^(deny|sameorigin)$/i.test(answer.header('x-frame-options')?.trim() ?? ''),
  ];
}

function isOwn({ url }: Page): (url: string) => boolean {
  const { origin } = new URL(url);
  return (other) => {
    const { origin: itsOrigin, protocol } = new URL(other);
    return itsOrigin === origin || !/^https?:$/.test(protocol);
  };
}

/** A row that shows some headers of the answer. */
function headersRow(ok: boolean, ...names: readonly string[]) {
  return (answer: Answer) => {
    const lines = names.flatMap((name) => {
      const value = answer.header(name);
      return value === undefined ? [] : [`${name}: ${value}`];
    });
    return { ok, seen: lines.length === 0 ? `no ${names.join(', no ')}` : lines.join('; ') };
  };
}

/** The policies that an answer enforces: what one of them forbids is forbidden. */
function policiesOf(answer: Answer): readonly string[] {
  return (answer.header('content-security-policy') ?? '').split(',').filter((text) => text.trim());
}

/** Name → sources, in lower case. Of a repeated name the first one counts (CSP §2.2.1). */
function directives(policy: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const directive of policy.toLowerCase().split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name && !found.has(name)) found.set(name, sources);
  }
  return found;
}
