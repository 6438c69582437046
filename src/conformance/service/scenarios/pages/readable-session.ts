import type { Cookie } from '../../../pages/visitor.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { shownBy } from '../../steps/answers.ts';
import { Hops } from '../../steps/hops.ts';
import { type OpenClaim, openClaim } from '../../steps/open-claim.ts';
import { renamedValues } from '../../steps/renamed-values.ts';

export const readableSession = serviceScenario({
  id: 'readable-session',
  title: 'Somebody writes another user into their own session cookie',
  checks: {
    altered: 'No cookie that names its user is believed once it names another one.',
  },
  async run(judge, world) {
    const own = await openClaim(world);
    const other = await openClaim(world);
    const earlier = valuesOf(await signedIn(own));
    const others = valuesOf(await signedIn(other));
    const cookies = await signedIn(own);
    const link = other.claim.verificationUri;

    const control = new Hops(world);
    await control.visitor.plant(own.claim.verificationUri, cookies);
    if (!(await control.isSignedIn(own.claim.verificationUri)))
      return judge.untestable('altered', 'Cookies alone do not sign a browser in.');

    // That no cookie names its user is what most services do, and is right.
    judge.expect('altered', true, 'no cookie that names its user');
    for (const { key, value } of cookies) {
      const names = { own: own.email, other: other.email };
      const samples = { earlier: earlier.get(key), other: others.get(key) };
      for (const altered of renamedValues(value, names, samples)) {
        const hops = new Hops(world);
        const kept = cookies.filter((cookie) => cookie.key !== key);
        const changed = cookies.filter((cookie) => cookie.key === key);
        await hops.visitor.plant(link, kept);
        await hops.visitor.plant(link, changed, () => altered);
        const isIn = await hops.isSignedIn(link);
        const shown = hops.all.at(-1)?.answer;
        const seen = "the other user's page with the code, by an altered cookie";
        judge.expect('altered', !isIn, seen, { case: key, ...(shown && shownBy(shown)) });
      }
    }

    async function signedIn({ claim, email }: OpenClaim): Promise<readonly Cookie[]> {
      const hops = new Hops(world);
      const page = await hops.toCode(claim.verificationUri, email);
      return hops.visitor.cookies(page.url);
    }
  },
});

function valuesOf(cookies: readonly Cookie[]): ReadonlyMap<string, string> {
  return new Map(cookies.map(({ key, value }) => [key, value]));
}
