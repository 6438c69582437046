import { SECOND } from '../../../protocol/index.ts';
import { type Judge, NotApplicable } from '../../engine/judge.ts';
import { refused } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import { halves, plainCode, wrongCodes } from '../steps/user-codes.ts';
import type { OpenReadBack, ReadBack } from './read-back.ts';

/** A scenario of claims where the user reads the code to the agent: some of its checks, by their own sentences. */
interface ReadBackScenario {
  readonly checks: Readonly<Record<string, string>>;
  run(judge: Judge, claims: ReadBack): Promise<void>;
}

/** More than any sensible service allows on one attempt. */
const MANY = 20;

/** Scenarios by the id of the one that judges the same of a claim whose code is typed on a page. */
export const READ_BACK_SCENARIOS: Readonly<Record<string, ReadBackScenario>> = {
  anonymous: {
    checks: {
      registered:
        'An anonymous registration is answered with what opens the service, and a claim token.',
      exchanged: 'What an anonymous registration gave is exchanged for an access token.',
      'claim-started': 'Claim token and email start a claim.',
      claimed: 'The code that its user reads to the agent completes the claim.',
      'second-assertion': 'What the claim brought opens the service.',
    },
    async run(judge, claims) {
      const { spelling, world } = claims;
      const registered = await claims.anonymous();
      const first = spelling.access(registered);
      const hasBoth = first !== undefined && spelling.claimToken(registered) !== undefined;
      judge.expect('registered', registered.ok && hasBoth, registered);
      if (first !== undefined && spelling.exchanges) {
        const exchanged = await world.client.exchange(first);
        judge.expect('exchanged', exchanged.string('access_token') !== undefined, exchanged);
      } else judge.skip('exchanged', 'In this dialect nothing is exchanged.');
      const email = world.userEmail();
      const started = await claims.start(registered, email);
      const isStarted = started.ok && (spelling.isMailed || spelling.page(started) !== undefined);
      if (!judge.expect('claim-started', isStarted, started)) return;
      const claim = claims.opened(registered, started, email);
      const completed = await claims.complete(claim, (await claims.show(claim)).code);
      if (!judge.expect('claimed', isCompleted(completed), completed)) return;
      // A credential that is there already reaches further: no other one is given.
      const access = spelling.access(completed) ?? (spelling.exchanges ? undefined : first);
      await judgeAccess(judge, 'second-assertion', claims, access, completed);
    },
  },
  'service-auth': {
    checks: {
      registered: 'A registration by email is answered with a claim token, and its claim is open.',
      'nothing-before':
        'Before the claim a registration by email has nothing that opens the service.',
      claimed: 'The code that its user reads to the agent completes the claim.',
      works: 'What the claim brought opens the service.',
    },
    async run(judge, claims) {
      const { spelling, world } = claims;
      const email = world.userEmail();
      const registered = await claims.byEmail(email);
      const token = spelling.claimToken(registered);
      judge.expect('registered', registered.ok && token !== undefined, registered);
      const claim = claims.opened(registered, registered, email);
      const early = spelling.access(registered);
      const opened = early === undefined ? undefined : await claims.opens(early);
      judge.expect('nothing-before', opened?.ok !== true, opened ?? registered);
      const completed = await claims.complete(claim, (await claims.show(claim)).code);
      if (!judge.expect('claimed', isCompleted(completed), completed)) return;
      await judgeAccess(judge, 'works', claims, spelling.access(completed), completed);
    },
  },
  'claim-start': {
    checks: {
      'unknown-refused': 'An unknown claim token starts no claim.',
      'claimed-refused': 'A claimed registration starts no further claim.',
    },
    async run(judge, claims) {
      const { spelling, world } = claims;
      const registered = await claims.anonymous();
      const email = world.userEmail();
      const claim = claims.opened(registered, await claims.start(registered, email), email);
      const at = claim.url.replace(/\/complete$/, '');
      for (const token of [`${claim.claimToken}x`, world.invented.token()]) {
        judge.table(await claims.post(at, spelling.start(token, email)), {
          'unknown-refused': refused,
        });
      }
      await mustComplete(claims, claim);
      const again = await claims.post(at, spelling.start(claim.claimToken, email));
      judge.table(again, { 'claimed-refused': refused });
    },
  },
  'unknown-claims': {
    checks: {
      'unknown-refused': 'A code that is handed in with an invented claim token is refused.',
      'code-bound': 'A code completes the claim that it was given for, and no other.',
    },
    async run(judge, claims) {
      const first = await claims.open();
      const { code } = await claims.show(first);
      const second = await claims.open();
      await claims.show(second);
      const keptOut = new Kept(judge, claims);
      for (const token of [`${first.claimToken}x`, claims.world.invented.token()]) {
        judge.table(await claims.complete(first, code, token), { 'unknown-refused': refused });
      }
      if (!(await keptOut.tried('code-bound', second, code))) return;
      await keptOut.end(first, code);
    },
  },
  'wrong-account': {
    checks: { 'not-claimed': 'Another account than that of the claim is shown no code for it.' },
    async run(judge, claims) {
      const claim = await claims.open();
      const shown = await claims.shownTo(claim, claims.world.freshEmail());
      const keptOut = new Kept(judge, claims);
      if (!(await keptOut.tried('not-claimed', claim, shown ?? ''))) return;
      await keptOut.end(claim);
    },
  },
  'whole-code': {
    checks: {
      needed: 'Neither half of the right code completes a claim, nor a text that contains it.',
    },
    async run(judge, claims) {
      const shown = (code: string) => halves(code).map(([, half]) => half);
      for (const texts of [shown, longer]) {
        const claim = await claims.open();
        const { code } = await claims.show(claim);
        const keptOut = new Kept(judge, claims);
        for (const text of texts(plainCode(code))) {
          if (!(await keptOut.tried('needed', claim, text))) return;
        }
        await keptOut.end(claim, code);
      }
    },
  },
  'wrong-codes': {
    checks: {
      'nothing-claimed': 'A wrong code completes nothing.',
      burnt: 'After many wrong codes a claim refuses the right one.',
    },
    async run(judge, claims) {
      const one = await claims.open();
      const { code } = await claims.show(one);
      const keptOut = new Kept(judge, claims);
      const [wrongCode = ''] = wrongCodes(code, 1);
      if (!(await keptOut.tried('nothing-claimed', one, wrongCode))) return;
      await keptOut.end(one, code);
      const many = await claims.open();
      const right = (await claims.show(many)).code;
      for (const wrong of wrongCodes(right, MANY)) await claims.complete(many, wrong);
      const late = await claims.complete(many, right);
      const how = { case: `after ${MANY} wrong codes` };
      judge.expect('burnt', !isCompleted(late), late, how);
    },
  },
  denial: {
    checks: { 'no-way-back': 'The code of a claim that its user denied completes nothing.' },
    async run(judge, claims) {
      const control = await claims.open();
      await mustComplete(claims, control);
      const claim = await claims.open();
      const { code, deny } = await claims.show(claim);
      await deny();
      judge.table(await claims.complete(claim, code), { 'no-way-back': refused });
    },
  },
  reopen: {
    checks: {
      reopened: 'A claim that is open can be started anew.',
      'old-code-over': 'The code of the claim that was replaced completes nothing.',
      'new-attempt-claims': 'The code of the new one completes the claim.',
    },
    async run(judge, claims) {
      const { world } = claims;
      const registered = await claims.anonymous();
      const email = world.userEmail();
      const first = claims.opened(registered, await claims.start(registered, email), email);
      const old = (await claims.show(first)).code;
      const started = await claims.start(registered, email);
      if (!judge.expect('reopened', started.ok, started)) return;
      const second = claims.opened(registered, started, email);
      const { code } = await claims.show(second);
      const keptOut = new Kept(judge, claims);
      if (old !== code && !(await keptOut.tried('old-code-over', second, old))) return;
      const completed = await keptOut.end(second, code);
      judge.expect('new-attempt-claims', isCompleted(completed), completed);
    },
  },
  'attempt-expiry': {
    checks: {
      'late-code': 'A code that is handed in after its claim has expired completes nothing.',
      reopened: 'A fresh claim is started after that.',
      claimed: 'The fresh one is completed.',
    },
    async run(judge, claims) {
      const { world } = claims;
      const registered = await claims.anonymous();
      const email = world.userEmail();
      const claim = claims.opened(registered, await claims.start(registered, email), email);
      if (!Number.isFinite(claim.end)) {
        throw new NotApplicable('The claim does not say in expires_at how long it lasts.');
      }
      const { code } = await claims.show(claim);
      await world.time.passTo(claim.end + 2 * SECOND);
      const keptOut = new Kept(judge, claims);
      if (!(await keptOut.tried('late-code', claim, code))) return;
      const started = await claims.start(registered, email);
      if (!judge.expect('reopened', started.ok, started)) return;
      const fresh = claims.opened(registered, started, email);
      const completed = await keptOut.end(fresh);
      judge.expect('claimed', isCompleted(completed), completed);
    },
  },
};

/** What completed nothing was kept out only if the right code completes the claim in the end. */
class Kept {
  readonly #judge: Judge;
  readonly #claims: ReadBack;
  readonly #names = new Set<string>();

  constructor(judge: Judge, claims: ReadBack) {
    this.#judge = judge;
    this.#claims = claims;
  }

  /** Whether the claim is still open. */
  async tried(name: string, claim: OpenReadBack, code: string): Promise<boolean> {
    const answer = await this.#claims.complete(claim, code);
    this.#names.add(name);
    return !isCompleted(answer) || this.#judge.expect(name, false, answer);
  }

  /** @param code Default: what its user reads now. */
  async end(claim: OpenReadBack, code?: string): Promise<Answer> {
    const right = code ?? (await this.#claims.show(claim)).code;
    const answer = await this.#claims.complete(claim, right);
    for (const name of this.#names) {
      if (isCompleted(answer)) this.#judge.expect(name, true, answer);
      else {
        const reason = `The right code completes nothing either: ${answer.describe()}.`;
        this.#judge.untestable(name, reason);
      }
    }
    return answer;
  }
}

/** @throws NotApplicable where nothing else can be judged: another scenario says why. */
async function mustComplete(claims: ReadBack, claim: OpenReadBack): Promise<void> {
  const answer = await claims.complete(claim, (await claims.show(claim)).code);
  if (isCompleted(answer)) return;
  throw new NotApplicable(`The right code completes no claim: ${answer.describe()}.`);
}

async function judgeAccess(
  judge: Judge,
  name: string,
  claims: ReadBack,
  access: string | undefined,
  completed: Answer,
): Promise<void> {
  if (access === undefined) {
    judge.expect(name, false, completed);
    return;
  }
  const opened = await claims.opens(access);
  judge.expect(name, opened.status !== 401 && opened.status !== 403, opened);
}

function isCompleted(answer: Answer): boolean {
  return answer.ok && answer.errorCode === undefined;
}

function longer(code: string): readonly string[] {
  const [before = '', after = ''] = wrongCodes(code, 2);
  return [`${before}${code}${after}`];
}
