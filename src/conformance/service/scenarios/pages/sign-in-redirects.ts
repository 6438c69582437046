import { status } from '../../../engine/rows.ts';
import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { signInForm, signInValues } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { ForeignRedirect, Hops } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

/** The name of the wire contract; a service may have others, found by what they hold. */
const USUAL_NAME = 'return_to';

/** Foreign destinations, in the spellings by which filters are passed. */
const destinations = (elsewhere: string): readonly string[] => [
  `https://${elsewhere}/`,
  `//${elsewhere}/`,
  `///${elsewhere}/`,
  `/\\${elsewhere}/`,
  `\\\\${elsewhere}/`,
  `https:${elsewhere}`,
  `%2f%2f${elsewhere}/`,
  `/%2f%2f${elsewhere}/`,
  `/\t/${elsewhere}/`,
  `/\n/${elsewhere}/`,
  ` //${elsewhere}/`,
  `/.//${elsewhere}/`,
  `/x/../..//${elsewhere}/`,
  `https://HOST@${elsewhere}/`,
  `https://HOST.${elsewhere}/`,
  `@${elsewhere}/`,
  `/login?return_to=//${elsewhere}/`,
  'javascript:alert(1)',
  'data:text/html,<p>x</p>',
];

/** The destinations above without a host. */
const SCRIPTS: readonly string[] = ['javascript:alert(1)', 'data:text/html,<p>x</p>'];

export const signInRedirects = serviceScenario({
  id: 'sign-in-redirects',
  title: 'A link makes a sign-in redirect to a foreign site',
  checks: {
    'after-sign-in': 'After a sign-in no URL in its link or its form redirects to a foreign site.',
    'when-signed-in': 'A link with such a URL redirects no signed-in user to a foreign site.',
    'no-header': 'A line break in a URL adds no header to an answer.',
    'not-resent': 'No redirect after a sign-in is a 307 or 308, which would send the form again.',
    'see-other': 'A redirect after a sign-in is a 303.',
  },
  restsOn: { 'when-signed-in': 'sign-in-redirects.after-sign-in' },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const signedIn = new Hops(world);
    const first = await signedIn.toSignIn(claim.verificationUri);
    signedIn.mustAskForCode(await signedIn.signIn(first, email));
    for (const { answer } of signedIn.posts()) {
      if (answer.status < 300 || answer.status >= 400) continue;
      judge.table(answer, {
        'not-resent': { ok: answer.status !== 307 && answer.status !== 308 },
        'see-other': status(303),
      });
    }
    judge.skip(['not-resent', 'see-other'], 'The sign-in does not redirect.');

    const names = linkNames(claim.verificationUri, first);
    const { host } = new URL(first.url);
    const header = world.invented.header();
    const injected = `/\r\n${header}: 1\r\n\r\n`;
    for (const raw of [...destinations(world.elsewhere), injected]) {
      const destination = raw.replace('HOST', host);
      const link = withDestination(first.url, names, destination);
      const expectNoRedirect = (check: 'after-sign-in' | 'when-signed-in', outcome: Outcome) => {
        const { exchange, foreignUrl, isInjected } = outcome;
        const details = { case: JSON.stringify(destination), exchange };
        judge.expect(check, foreignUrl === undefined, `a way to ${foreignUrl}`, details);
        judge.expect('no-header', !isInjected, `a header ${header}`, { exchange });
      };
      const signIn = (hops: Hops) => signInBy(hops, link, email, destination);
      const open = ({ visitor }: Hops) => visitor.open(link);
      expectNoRedirect('after-sign-in', await follow(new Hops(world), header, signIn));
      expectNoRedirect('when-signed-in', await follow(signedIn, header, open));
    }
  },
});

/** Query parameters that may name a destination. */
function linkNames(link: string, { url }: Page): readonly string[] {
  const found = [link, url].flatMap((each) =>
    [...new URL(each).searchParams].filter(([, value]) => isDestination(value)),
  );
  return [...new Set([USUAL_NAME, ...found.map(([name]) => name)])];
}

function isDestination(value: string): boolean {
  return value.startsWith('/') || /^https?:/.test(value);
}

function withDestination(url: string, names: readonly string[], destination: string): string {
  const changed = new URL(url);
  for (const name of names) changed.searchParams.set(name, destination);
  return changed.href;
}

/** Signs in by a link, and by forms whose hidden URLs are changed as well. */
async function signInBy(
  { visitor }: Hops,
  link: string,
  email: string,
  destination: string,
): Promise<Page | undefined> {
  let page = await visitor.open(link);
  for (let step = 0; step < 3; step += 1) {
    const form = signInForm(page, step > 0);
    if (form === undefined) return page;
    const changed = form.fields
      .filter(({ type, value }) => type === 'hidden' && isDestination(value))
      .map(({ name }) => [name, destination]);
    page = await visitor.submit(page, form, {
      ...signInValues(form, email),
      [USUAL_NAME]: destination,
      ...Object.fromEntries(changed),
    });
  }
  return page;
}

interface Outcome {
  readonly foreignUrl: string | undefined;
  readonly isInjected: boolean;
  readonly exchange: number | undefined;
}

/** Where a page leads without a redirect: by Refresh, or by a link. */
function leadsAbroad({ answer, url }: Page, elsewhere: string): string | undefined {
  const { leads, links } = readContent(answer, url);
  return [...leads, ...links].find((other) => {
    const { hostname } = new URL(other);
    return hostname.endsWith(elsewhere) || SCRIPTS.includes(other);
  });
}

async function follow(
  hops: Hops,
  header: string,
  walk: (hops: Hops) => Promise<Page | undefined>,
): Promise<Outcome> {
  const before = hops.all.length;
  let foreign: ForeignRedirect | undefined;
  try {
    const page = await walk(hops);
    const url = page && leadsAbroad(page, hops.elsewhere);
    if (url !== undefined) foreign = new ForeignRedirect(url, page?.answer.exchange);
  } catch (error) {
    if (!(error instanceof ForeignRedirect)) throw error;
    foreign = error;
  }
  const injected = hops.all.slice(before).find(({ answer }) => answer.header(header) !== undefined);
  return {
    foreignUrl: foreign?.url,
    isInjected: injected !== undefined,
    exchange: foreign?.exchange ?? injected?.answer.exchange,
  };
}
