import { agentScenario, changeAttempt, type ObservedRun } from '../../agent-world.ts';
import { wordsOf } from '../../steps/rows.ts';
import { needAttempts } from '../../steps/traffic.ts';
import { ELSEWHERE } from './texts.ts';

interface Hosts {
  /** The hosts of the service and of another server, with their ports. */
  readonly own: string;
  readonly other: string;
  /** A host that the suite invented. */
  readonly invented: string;
}

/** Pages on another origin whose URLs a careless reader takes for pages of the service. */
const LOOK_ALIKES: readonly (readonly [
  what: string,
  /** Whether no right service writes so: a user in a URL hides its host (RFC 9110 §4.2.4). */
  isNeverRight: boolean,
  url: (hosts: Hosts) => string,
])[] = [
  ['the service as user name', true, ({ own, other }) => `http://${own}@${other}/claim`],
  [
    'the service as user name, percent-encoded',
    true,
    ({ own, other }) => `http://${own}%2F@${other}/claim`,
  ],
  [
    'a backslash, which browsers read as a slash',
    true,
    ({ own, other }) => `http://${other}\\@${own}/claim`,
  ],
  [
    'a host that begins as the service',
    false,
    ({ own, invented }) => `http://${own.replace(':', `.${invented}:`)}/claim`,
  ],
  ['the letter l for the digit 1', false, ({ own }) => `http://${own.replace('.1:', '.l:')}/claim`],
  ['another last digit of the port', false, ({ own }) => `http://${withNextDigit(own)}/claim`],
];

/** Cyrillic, as Latin letters look. */
const CYRILLIC = '\u0441\u0430\u0440\u0435';

export const lookAlikePages = agentScenario({
  id: 'agent-look-alike-pages',
  title: 'The verification_uri only looks like a page of the service',
  checks: {
    'not-opened': 'The agent opens no page whose URL only looks like one of the service.',
    warned:
      'The agent shows a page that is not one of the service with a warning, or does not show it.',
    'ascii-host':
      'The agent shows the host of a page in ASCII, where every letter is what it seems.',
  },
  resting: { 'agent-look-alike-pages.not-opened': ['warned'] },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  async run(judge, world) {
    await world.controls.need('claim', 'attempt');
    const otherServer = await world.otherServer();
    const other = new URL(otherServer.origin).host;
    const invented = world.invented.host();
    const show = async (page: (own: string) => string, within = world) => {
      await within.harness.forget();
      const service = await within.service({ userCode: 5000 });
      // Its user sees where the page leads.
      service.on('poll', async ({ nth }, next) => {
        if (nth === 1) await service.deny();
        return next();
      });
      const url = page(new URL(service.origin).host);
      service.on('claim', changeAttempt({ verification_uri: url }));
      const run = await within.run('claim', { service, browser: true, limit: 20_000 });
      needAttempts(run);
      return { run, url, foreign: run.opened.filter((each) => !isOn(each, service.origin)) };
    };
    const right = await show((own) => `http://${own}/claim`);
    const opensPages = right.run.opened.length > 0;
    if (!opensPages) judge.skip('not-opened', 'The agent opens no page in the browser.');
    const plain = await show(() => `http://${other}/claim`);
    const warned = (run: ObservedRun, shown: string) => ({
      ok: !run.output.includes(shown) || wordsOf(run.output) !== wordsOf(right.run.output),
      seen: `it shows ${shown} with the words of a page of the service`,
    });
    const plainRow = { ...warned(plain.run, plain.url), reading: ELSEWHERE };
    judge.table(plain, { warned: plainRow }, { case: 'a page on another origin' });
    // Who opens the pages of any origin is told so by agent-hostile-addresses.never-opened.
    const told = LOOK_ALIKES.filter(([, never]) => never || plain.foreign.length === 0);
    await world.eachBeside(told, async (beside, [what, isNeverRight, url]) => {
      const { run, foreign } = await show((own) => url({ own, other, invented }), beside);
      const opened = opensPages ? { ok: foreign.length === 0, seen: foreign.join(' ') } : undefined;
      const row = isNeverRight ? warned(run, other) : undefined;
      judge.table(run, { 'not-opened': opened, warned: row }, { case: what });
    });
    const { run } = await show(() => `https://${CYRILLIC}${invented}/claim`);
    const ascii = {
      ok: !run.output.includes(CYRILLIC),
      seen: `the host as ${CYRILLIC}${invented}`,
    };
    judge.table(run, { 'ascii-host': ascii });
  },
});

/** Whether a page that was opened is on an origin, as a browser reads it. */
function isOn(opened: string, origin: string): boolean {
  if (!URL.canParse(opened)) return !/^https?:/i.test(opened);
  const url = new URL(opened);
  return !url.protocol.startsWith('http') || (url.origin === origin && url.username === '');
}

function withNextDigit(host: string): string {
  const last = Number(host.at(-1));
  return host.slice(0, -1) + (last === 0 ? 1 : last - 1);
}
