import type { Answer } from '../../../http/answer.ts';
import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode, decide } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { directives, policiesOf } from '../../steps/content-security-policy.ts';
import { Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

/** What sends other origins no path and no query (Referrer Policy §3). */
const DISCREET = [
  'no-referrer',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
];

const POLICIES = [...DISCREET, 'unsafe-url', 'no-referrer-when-downgrade'];

export const pageHeaders = serviceScenario({
  id: 'page-headers',
  title: 'What the pages of a claim allow other sites to do with them',
  checks: {
    'not-framed': 'No page of a claim can be framed by another site.',
    'not-framed-twice': 'Both frame-ancestors and X-Frame-Options say so.',
    'no-inline-script': 'A content security policy keeps inline scripts from running.',
    'not-kept': 'Every page says Cache-Control: no-store.',
    'referrer-policy': 'A referrer policy keeps the addresses of the pages from other origins.',
    'own-content': 'The pages load nothing from another origin.',
    'not-readable': 'No page of another origin can read them.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const hops = new Hops(world);
    const signInPage = await hops.toSignIn(claim.verificationUri);
    const codePage = await hops.toCode(claim.verificationUri, email);
    const form = codePage.forms.find(asksForCode);
    const last =
      form &&
      (await decide(hops.visitor, codePage, form, {
        userCode: claim.userCode,
        decision: 'approve',
      }));

    for (const [name, page] of [
      ['sign-in page', signInPage],
      ['claim page', codePage],
    ] as const) {
      const { answer } = page;
      judge.expect(
        'not-framed',
        framing(answer).some(Boolean),
        headersOf(answer, 'content-security-policy', 'x-frame-options'),
        {
          expected: `frame-ancestors or X-Frame-Options on the ${name}`,
          exchange: answer.exchange,
        },
      );
      judge.expect(
        'not-framed-twice',
        framing(answer).every(Boolean),
        headersOf(answer, 'content-security-policy', 'x-frame-options'),
        {
          expected: `frame-ancestors and X-Frame-Options on the ${name}`,
          exchange: answer.exchange,
        },
      );
      judge.expect(
        'no-inline-script',
        policiesOf(answer).some(forbidsInlineScript),
        headersOf(answer, 'content-security-policy'),
        {
          expected: `a policy for scripts without 'unsafe-inline' on the ${name}`,
          exchange: answer.exchange,
        },
      );
      const policy = referrerPolicy(answer);
      judge.expect(
        'referrer-policy',
        policy !== undefined && DISCREET.includes(policy),
        headersOf(answer, 'referrer-policy'),
        {
          expected: `a Referrer-Policy on the ${name} that tells other origins no path`,
          exchange: answer.exchange,
        },
      );
      const { links, loaded } = readContent(answer, page.url);
      judge.expect(
        'referrer-policy',
        policy === 'no-referrer' || links.every(isOwn(page)),
        headersOf(answer, 'referrer-policy'),
        {
          expected: `no-referrer on the ${name}, which links to another origin`,
          exchange: answer.exchange,
          warn: true,
        },
      );
      const foreign = loaded.filter((address) => !isOwn(page)(address));
      judge.expect('own-content', foreign.length === 0, foreign.join(', '), {
        expected: `nothing from elsewhere on the ${name}`,
        exchange: answer.exchange,
      });
      const asked = await hops.visitor.exchange(page.url, {
        headers: [
          ['origin', `https://${world.elsewhere}`],
          ['sec-fetch-site', 'cross-site'],
        ],
      });
      const allowed = asked.header('access-control-allow-origin');
      judge.expect(
        'not-readable',
        !['*', 'null', `https://${world.elsewhere}`].includes(allowed ?? ''),
        allowed ?? 'none',
        {
          expected: `no Access-Control-Allow-Origin for another origin on the ${name}`,
          exchange: asked.exchange,
        },
      );
    }
    for (const page of [signInPage, codePage, last]) {
      if (page === undefined) continue;
      judge.expect(
        'not-kept',
        page.answer.cacheControl.includes('no-store'),
        headersOf(page.answer, 'cache-control'),
        { exchange: page.answer.exchange },
      );
    }
  },
});

/** By `frame-ancestors`, by `X-Frame-Options`. */
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

function forbidsInlineScript(policy: string): boolean {
  const found = directives(policy);
  const sources =
    found.get('script-src-elem') ?? found.get('script-src') ?? found.get('default-src');
  if (sources === undefined) return false;
  const isNarrowed = sources.some((source) => /^'(nonce-|sha\d+-|strict-dynamic)/.test(source));
  return isNarrowed || !sources.includes("'unsafe-inline'");
}

/** The last one that is known counts (Referrer Policy §11.1). */
function referrerPolicy(answer: Answer): string | undefined {
  return (answer.header('referrer-policy') ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .findLast((token) => POLICIES.includes(token));
}

function isOwn({ url }: Page): (address: string) => boolean {
  const { origin } = new URL(url);
  return (address) => {
    const { origin: other, protocol } = new URL(address);
    return other === origin || !/^https?:$/.test(protocol);
  };
}

function headersOf(answer: Answer, ...names: readonly string[]): string {
  const lines = names.flatMap((name) => {
    const value = answer.header(name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return lines.length === 0 ? `no ${names.join(', no ')}` : lines.join('; ');
}
