import { readContent } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { signInForm, signInValues } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Hops, LedAway } from '../../steps/hops.ts';
import { openClaim } from '../../steps/open-claim.ts';

/** The name of the wire contract; a service may have others, found by what they hold. */
const USUAL_NAME = 'return_to';

/** What somebody else would like a sign-in to lead to (attack A-12). */
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

/** Of the addresses above that lead to no host. */
const SCRIPTS: readonly string[] = ['javascript:alert(1)', 'data:text/html,<p>x</p>'];

export const signInRedirects = serviceScenario({
  id: 'sign-in-redirects',
  title: 'A link makes a sign-in lead to the site of somebody else',
  checks: {
    'after-sign-in':
      'After a sign-in no address in its link, or that its form brings back, leads to another site.',
    'when-signed-in': 'Such a link does not lead there whoever is signed in already.',
    'no-header': 'No such address adds a header to an answer.',
    'not-resent': 'No redirect after a sign-in makes a browser send it again.',
    'see-other': 'A redirect after a sign-in is a 303.',
  },
  async run(judge, world) {
    const { claim, email } = await openClaim(world);
    const signedIn = new Hops(world);
    const first = await signedIn.toSignIn(claim.verificationUri);
    signedIn.mustAskForCode(await signedIn.signIn(first, email));
    for (const { answer } of signedIn.posts()) {
      if (answer.status < 300 || answer.status >= 400) continue;
      judge.expect(
        'not-resent',
        answer.status !== 307 && answer.status !== 308,
        `${answer.status}`,
        { exchange: answer.exchange },
      );
      judge.expect('see-other', answer.status === 303, `${answer.status}`, {
        exchange: answer.exchange,
      });
    }
    judge.skip(['not-resent', 'see-other'], 'The sign-in redirects nobody.');

    const names = linkNames(claim.verificationUri, first);
    const host = new URL(first.url).host;
    const header = world.invented.header();
    const injected = `/\r\n${header}: 1\r\n\r\n`;
    for (const raw of [...destinations(world.elsewhere), injected]) {
      const destination = raw.replace('HOST', host);
      const seen = (check: 'after-sign-in' | 'when-signed-in', outcome: Outcome) => {
        judge.expect(check, outcome.ledTo === undefined, `a way to ${outcome.ledTo}`, {
          expected: `a page of the service for ${JSON.stringify(destination)}`,
          exchange: outcome.exchange,
        });
        judge.expect('no-header', !outcome.injected, `a header ${header}`, {
          exchange: outcome.exchange,
        });
      };
      const link = withDestination(first.url, names, destination);
      const walk = (hops: Hops) => signInBy(hops, link, email, destination);
      seen('after-sign-in', await follow(new Hops(world), header, walk));
      seen('when-signed-in', await follow(signedIn, header, ({ visitor }) => visitor.open(link)));
    }
  },
});

/** Parameters that may say where to go on. */
function linkNames(link: string, { url }: Page): readonly string[] {
  const found = [link, url].flatMap((address) =>
    [...new URL(address).searchParams].filter(([, value]) => isDestination(value)),
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

/** Signs in by a link, and by forms whose hidden addresses are changed on top of it. */
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
  readonly ledTo: string | undefined;
  readonly injected: boolean;
  readonly exchange: number | undefined;
}

/** Where a page leads without a redirect: by Refresh, or as the next thing to press. */
function leadsElsewhere({ answer, url }: Page, elsewhere: string): string | undefined {
  const { leads, links } = readContent(answer, url);
  return [...leads, ...links].find((address) => {
    const { hostname } = new URL(address);
    return hostname.endsWith(elsewhere) || SCRIPTS.includes(address);
  });
}

async function follow(
  hops: Hops,
  header: string,
  walk: (hops: Hops) => Promise<Page | undefined>,
): Promise<Outcome> {
  const before = hops.steps.length;
  let led: LedAway | undefined;
  try {
    const page = await walk(hops);
    const away = page && leadsElsewhere(page, hops.elsewhere);
    if (away !== undefined) led = new LedAway(away, page?.answer.exchange);
  } catch (error) {
    if (!(error instanceof LedAway)) throw error;
    led = error;
  }
  const injected = hops.steps
    .slice(before)
    .find(({ answer }) => answer.header(header) !== undefined);
  return {
    ledTo: led?.url,
    injected: injected !== undefined,
    exchange: led?.exchange ?? injected?.answer.exchange,
  };
}
