import { DEVICE_CODE_GRANT } from '../../../protocol/index.ts';
import { CannotTest, type Judge, judgePart, NotApplicable } from '../../engine/judge.ts';
import { FROM, only, postForm } from '../../pages/forged-forms.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import type { DeviceCode } from '../device-code.ts';
import { formBody } from '../provider-client.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import {
  type FilledForm,
  hasToken,
  isRedeemable,
  toCodeForm,
  toQuestion,
} from '../steps/device-codes.ts';

const NOT_SENT =
  'By its SameSite no browser sends the cookie of the session with a form of another site.';

export const deviceAttacks = providerScenario({
  id: 'device-attacks',
  title: 'An attacker has a user approve the device code of the attacker',
  checks: {
    'cross-site': 'A form that another site submits approves no device code.',
    'shown-account':
      'A page that shows one account approves for no other that has signed in since.',
    'other-client': 'A device code signs in no other client than that which it was given to.',
    'forwarded-host': 'A forwarding header changes no URL of a device authorization.',
    'by-link': 'Opening the verification_uri_complete approves nothing.',
    'code-shown': 'The page behind the verification_uri_complete shows the user code.',
  },
  resting: {
    'consent-attacks.cross-site': ['cross-site'],
    'device-attacks.cross-site': ['shown-account'],
    'provider-discovery.forwarded': ['forwarded-host'],
  },
  blockedBy: ['device-sign-in.signed-in'],
  async run(judge, world) {
    // Without a sign-in that works, there is nothing that an attack could get.
    const email = world.email();
    await world.signInByDevice(email);
    await judgePart(judge, 'cross-site', () => judgeForged(judge, world, email));
    await judgePart(judge, 'shown-account', () => judgeShownAccount(judge, world, email));
    await judgePart(judge, 'other-client', async () => {
      const started = await world.startSignIn();
      const { deviceCode: device_code, userCode, verificationUri } = started;
      await world.user.signIn({ verificationUri, userCode, email, decision: 'approve' });
      const other = {
        grant_type: DEVICE_CODE_GRANT,
        device_code,
        client_id: world.invented.token(),
      };
      const answer = await world.client.token(other);
      judge.expect('other-client', !hasToken(answer), answer);
    });
    await judgePart(judge, 'forwarded-host', () => judgeForwarded(judge, world));
    await judgePart(judge, ['by-link', 'code-shown'], () => judgeLink(judge, world, email));
  },
});

type Attack<Name extends string> = (
  judge: Judge<Name>,
  world: ProviderWorld,
  email: string,
) => Promise<void>;

type ToForm = (
  world: ProviderWorld,
  visitor: Visitor,
  started: DeviceCode,
  email: string,
) => Promise<FilledForm | undefined>;

/** The user types the code at a page, and answers a question there: either form may be the approval. */
const STEPS: readonly (readonly [what: string, toForm: ToForm])[] = [
  ['the form with the code', toCodeForm],
  ['the form with the decision', toQuestion],
];

const judgeForged: Attack<'cross-site'> = async (judge, world, email) => {
  let isSeen = false;
  for (const [what, toForm] of STEPS) {
    const forged = (inBrowser: boolean) => forge(world, email, toForm, inBrowser);
    const asBrowser = await forged(true);
    if (asBrowser === undefined) continue;
    isSeen = true;
    const { exchange } = asBrowser;
    if (!judge.expect('cross-site', !asBrowser.isApproved, `${what} approved`, { exchange }))
      return;
    const anyway = await forged(false);
    const details = { exchange: anyway?.exchange, reading: NOT_SENT };
    judge.expect('cross-site', anyway?.isApproved !== true, `${what} approved`, details);
  }
  if (!isSeen) throw new CannotTest('No form behind the verification_uri asks for the code.');
};

/** @param inBrowser `SameSite` cookies are held back. */
async function forge(
  world: ProviderWorld,
  email: string,
  toForm: ToForm,
  inBrowser: boolean,
): Promise<{ readonly isApproved: boolean; readonly exchange: number } | undefined> {
  const started = await world.startSignIn();
  const [victim, attacker] = [world.visitor(), world.visitor()];
  const filled = await toForm(world, victim, started, email);
  const known = filled && (await toForm(world, attacker, started, email));
  if (filled === undefined || known === undefined) return undefined;
  // What differs between two sessions is a secret of the page: another site cannot send it.
  const names = Object.keys(filled.values).filter(
    (name) => known.values[name] === filled.values[name],
  );
  const values = only(filled.values, names);
  const from = FROM.foreignPage(world.invented.host());
  const context = inBrowser ? undefined : 'same-site';
  const answer = await postForm(victim, filled.form.action, values, from, context);
  return { isApproved: await isRedeemable(world, started), exchange: answer.exchange };
}

/** Whoever gets a header past a proxy would lead users to a page of their own. */
async function judgeForwarded(judge: Judge<'forwarded-host'>, world: ProviderWorld): Promise<void> {
  const host = world.invented.host();
  const answer = await world.send(world.client.endpoint('deviceEndpoint'), {
    from: 'agent',
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['x-forwarded-host', host],
      ['forwarded', `host=${host};proto=https`],
    ],
    body: formBody({ client_id: world.client.clientId, scope: 'openid email' }),
  });
  judge.expect('forwarded-host', !answer.text.includes(host), answer);
}

/** The user looks at a page as one account, and signs in as another in the next tab. */
const judgeShownAccount: Attack<'shown-account'> = async (judge, world, email) => {
  const started = await world.startSignIn();
  const visitor = world.visitor();
  const asked =
    (await toQuestion(world, visitor, started, email)) ??
    (await toCodeForm(world, visitor, started, email));
  if (asked?.page.answer.text.includes(email) !== true) {
    throw new NotApplicable('The page that asks for the approval shows no account.');
  }
  // The cookies of the later sign-in take the place of those of the first one.
  const tab = world.visitor();
  await signedInAt(tab, started.verificationUri, world.freshEmail(), world.means);
  const { answer } = await tab.submit(asked.page, asked.form, asked.values);
  const polled = await world.client.poll(started.deviceCode);
  judge.expect(
    'shown-account',
    !hasToken(polled),
    'a poll with a token, after the form of the first was sent',
    answer,
  );
};

const judgeLink: Attack<'by-link' | 'code-shown'> = async (judge, world, email) => {
  const started = await world.startSignIn();
  const link = started.answer.string('verification_uri_complete');
  if (link === undefined || !URL.canParse(link)) {
    throw new NotApplicable('The provider gives no verification_uri_complete.');
  }
  const visitor = world.visitor();
  await signedInAt(visitor, started.verificationUri, email, world.means);
  const opened = await signedInAt(visitor, link, email, world.means);
  const { answer, forms } = await afterScripts(visitor, opened);
  const { exchange } = answer;
  const isApproved = await isRedeemable(world, started);
  judge.expect('by-link', !isApproved, 'a poll with a token, and no form was sent', { exchange });
  const fields = forms.flatMap((form) => form.fields).filter(({ type }) => type !== 'hidden');
  const seen = answer.text.replace(/<[^>]*>/g, '') + fields.map(({ value }) => value).join(' ');
  const shows = plain(seen).includes(plain(started.userCode));
  judge.expect('code-shown', shows, 'a page without the code', { exchange });
};

/** A form without anything to type or to press is one that a script sends when the page opens. */
async function afterScripts(visitor: Visitor, page: Page): Promise<Page> {
  const form = page.forms.find(({ fields }) => fields.every(({ type }) => type === 'hidden'));
  const isSent = form !== undefined && /\bsubmit\s*\(/.test(page.answer.text);
  return isSent ? visitor.submit(page, form, {}) : page;
}

/** Letters and digits alone: a code is shown in groups. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
}
