import { createHash } from 'node:crypto';
import { parse as parseHtml } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../../scripts/package/repository.js';
import type { Report, ScenarioResult } from '../../../src/conformance/index.ts';
import { SCRIPT } from '../../../src/conformance/reporters/html/assets.ts';
import { REPORTERS } from '../../../src/conformance/reporters/index.ts';
import { renderJsonValue } from '../../../src/conformance/reporters/json.ts';
import { checkPublished } from '../../cli/support/check-published.ts';
import { MANIFEST } from '../../package/project.ts';
import { checkResult as check } from '../support/check-result.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { attributeOf, elementsOf, readJunit } from '../support/read-junit.ts';
import { FULL_REPORT, GREEN_REPORT, HOSTILE, reportOf } from '../support/sample-report.ts';

const PLAIN = { color: false, width: 100 };
const names = Object.keys(REPORTERS) as (keyof typeof REPORTERS)[];
const render = (name: keyof typeof REPORTERS, report = FULL_REPORT) =>
  REPORTERS[name].render(report, PLAIN);

const PROJECT = `https://github.com/${slugOf(MANIFEST)}`;
/** What a report may lead to: texts of others, and the pages of this project. */
const isKnown = (url: string) =>
  url.startsWith('https://www.rfc-editor.org/') || url.startsWith(`${PROJECT}/blob/HEAD/docs/`);

function scenarioOf(id: string): ScenarioResult {
  const found = FULL_REPORT.scenarios.find((scenario) => scenario.id === id);
  if (found === undefined) throw new Error(`The sample has no scenario ${id}.`);
  return found;
}

/** Whatever a judged peer can have a say in is hostile. */
function hostileEverywhere(): Report {
  const scenarios = FULL_REPORT.scenarios.map(
    (scenario): ScenarioResult => ({
      ...scenario,
      checks: scenario.checks.map((check) => ({
        ...check,
        findings: check.findings.map((each) => ({ ...each, expected: HOSTILE, seen: HOSTILE })),
        ...(check.reason === undefined ? {} : { reason: HOSTILE }),
      })),
      exchanges: scenario.exchanges.map(({ request, response, ...exchange }) => ({
        ...exchange,
        request: {
          method: HOSTILE,
          url: HOSTILE,
          headers: [['location', HOSTILE]],
          body: HOSTILE,
        },
        ...(response === undefined
          ? { problem: HOSTILE }
          : { response: { ...response, headers: [['location', HOSTILE]], body: HOSTILE } }),
      })),
    }),
  );
  return { ...reportOf(scenarios), target: HOSTILE };
}

describe('each report', () => {
  it.each(names.filter((name) => name !== 'json'))('%s is as it was agreed', async (name) => {
    // The same wherever the project lives.
    const text = render(name).replaceAll(PROJECT, 'https://github.com/OWNER/NAME');
    await expect(text).toMatchFileSnapshot(`golden/${name}.${REPORTERS[name].extension}`);
  });

  it.each(names)('%s lets nothing through that steers a terminal or misleads a reader', (name) => {
    const loose = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    expect(loose.test(HOSTILE)).toBe(true);
    expect(render(name)).not.toMatch(loose);
    for (const options of [PLAIN, { ...PLAIN, verbose: true }]) {
      expect(REPORTERS[name].render(hostileEverywhere(), options)).not.toMatch(loose);
    }
  });
});

describe('the counts of the terminal', () => {
  const checks = [
    check('a.must', 'pass'),
    check('a.option', 'pass', { level: 'may' }),
    check('a.wait', 'skip', { reason: 'Needs a wait.', needs: '--patience 2m' }),
    check('a.absent', 'skip', { reason: 'The service does not offer it.' }),
    check('a.resting', 'skip', { reason: 'It rests on a.must.', restsOn: 'a.must' }),
  ];
  const report = reportOf([{ id: 'a', title: 'A', duration: 1, checks, exchanges: [] }]);
  const text = (verbose: boolean) => REPORTERS.terminal.render(report, { ...PLAIN, verbose });

  it('called what needs an option not offered, or not asked for', () => {
    expect(text(false)).toContain(
      'Skipped: 1 not offered or not asked for, 1 for want of an option, 1 because of what they rest on.',
    );
  });

  it('named a skipped check without its id and its reason in every check', () => {
    const [, every = ''] = text(true).split('Every check');
    expect(every).toMatch(
      /– a\.absent holds\.\n {4}a\.absent · must .*\n {4}skipped {3}The service does/,
    );
  });
});

it('a finding named the source twice that its sentence names already', () => {
  const twice = reportOf([
    {
      ...{ id: 'a', title: 'A', duration: 1, exchanges: [] },
      checks: [
        check('a.b', 'fail', {
          sources: ['RFC 7638 §3'],
          findings: [{ expected: 'x, the thumbprint (RFC 7638 §3)', seen: 'y' }],
        }),
      ],
    },
  ]);
  const text = REPORTERS.terminal.render(twice, { ...PLAIN, verbose: true });
  expect(text).toContain('(RFC 7638 §3)\n');
  expect(text).not.toContain('(RFC 7638 §3) (RFC 7638 §3)');
});

describe('a stale baseline', () => {
  const stale: Report = {
    ...GREEN_REPORT,
    verdict: { ...GREEN_REPORT.verdict, outcome: 'conforms_but', known: 1, fixed: ['keys.public'] },
  };

  it.each(['terminal', 'markdown', 'html'] as const)(
    'left %s with a good headline, and a job that fails',
    (name) => {
      const text = render(name, stale).replaceAll(/\s+/g, ' ');
      expect(text).toContain('Conforms but for 1 known failure, and the baseline is stale');
      expect(text).toContain('In the baseline, but not failing any more: keys.public. Take it out');
      expect(text).not.toMatch(/✅|"verdict pass"/);
    },
  );
});

describe('a finding that expects no more than its check', () => {
  const sentence = 'A refusal says in words what is wrong.';

  /** JSON has a member for each. */
  const forPeople = ['terminal', 'junit', 'markdown', 'html'] as const;

  it.each(forPeople)('does not say so again in %s', (name) => {
    const text = REPORTERS[name].render(FULL_REPORT, { ...PLAIN, verbose: true });
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/expected\W{0,24}A refusal says in words/i);
  });
});

describe('the terminal', () => {
  const lines = (report: Report, width = 80) =>
    REPORTERS.terminal.render(report, { color: false, width }).trimEnd().split('\n');
  const headings = (text: string) =>
    text.match(/^(What|Where|Known|Warnings|Every).*$|^! \d+ warnings.*/gm);

  it('colours only when it is asked to', () => {
    expect(REPORTERS.terminal.render(FULL_REPORT, { color: true, width: 80 })).toContain(
      '\u001b[31m',
    );
    expect(render('terminal')).not.toContain('\u001b');
  });

  it('begins with the verdict and the scores, and then has what matters most', () => {
    const [verdict, scores] = lines(FULL_REPORT);
    expect([verdict, scores]).toEqual([
      'Does not conform.',
      'Protocol 0/1 · Standards 3/4 (2 could not be judged) · Attacks 0/1',
    ]);
    expect(headings(render('terminal'))).toEqual([
      'What an attacker can do now',
      'What is missing',
      'What else breaks a standard',
      'Known failures',
      '! 2 warnings: shape.description, discovery.caching. See all with --verbose, or one with --only ID',
    ]);
  });

  it('says the verdict once, and what its words for the rest mean', () => {
    const text = render('terminal');
    expect(text.match(/Does not conform/g)).toHaveLength(1);
    expect(text).toContain('Untestable: it could not be judged. Skipped: ');
    expect(render('terminal', GREEN_REPORT)).not.toContain('Untestable');
  });

  it('names what to read of a cause that says nothing more of what was expected', () => {
    const causes = FULL_REPORT.causes.map((cause) => ({
      ...cause,
      ...(cause.kind === 'standards' && { expected: cause.title }),
    }));
    expect(render('terminal', { ...FULL_REPORT, causes })).toMatch(
      /again {5}curl .*\n {4}read {6}RFC 9728 §3\.3 https:\/\/www\.rfc-editor\.org\/rfc\/rfc9728#section-3\.3\n/,
    );
  });

  it('says of a run without a verdict which story, why, and what would judge it', () => {
    const unjudged = [
      { story: 'a claim to its end', why: 'No user came.', option: '--user browser' },
    ];
    const verdict = { ...GREEN_REPORT.verdict, outcome: 'inconclusive', unjudged } as const;
    expect(lines({ ...GREEN_REPORT, verdict }, 200)[0]).toBe(
      'Inconclusive. Not judged: a claim to its end. No user came. --user browser has it judged.',
    );
  });

  it.each([
    ['A service was not reached.', ['--user browser']],
    ['No browser: pass --user browser.', []],
  ])('names the option that would judge a check unless its reason does: %s', (reason, options) => {
    const scenarios = FULL_REPORT.scenarios.map((scenario) => ({
      ...scenario,
      checks: scenario.checks.map((check) =>
        check.id === 'claim.expired' ? { ...check, reason, needs: '--user browser' } : check,
      ),
    }));
    const added = lines(reportOf(scenarios)).flatMap(
      (line) => /^ {4}add {7}(.*)$/.exec(line)?.[1] ?? [],
    );
    expect(added).toEqual(options);
  });

  it('does not take the sentence of a check for the reason of a known failure', () => {
    const withReason = (known: string) =>
      FULL_REPORT.scenarios.map((scenario) => ({
        ...scenario,
        checks: scenario.checks.map((check) =>
          check.known === undefined ? check : { ...check, known: known || check.title },
        ),
      }));
    const text = (known: string) => lines(reportOf(withReason(known))).join('\n');
    expect(text('Next week.')).toContain('Known: Next week.');
    expect(text('')).not.toContain('Known:');
  });

  it('names the other checks of a cause, each with what it saw', () => {
    const [first, ...rest] = FULL_REPORT.causes;
    if (first === undefined) throw new Error('The sample report has no cause.');
    const others = [1, 2, 3, 4, 5, 6].map((n) => ({ check: `c.${n}`, seen: `it was ${n}` }));
    const text = (also: typeof others) =>
      lines({ ...FULL_REPORT, causes: [{ ...first, also }, ...rest] }).join('\n');
    expect(text(others)).toContain('    also      c.1: it was 1\n');
    expect(text(others)).toContain(
      '    also      c.4: it was 4\n              and 2 more: --verbose\n',
    );
    // The last takes no more room than the line that says so.
    expect(text(others.slice(1))).toContain('    also      c.6: it was 6\n');
    expect(text(others.slice(1))).not.toContain('1 more: --verbose');
  });

  it('names the warnings, and how to see one without all that was passed', () => {
    const warned = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const [cause] = FULL_REPORT.causes;
    if (cause === undefined) throw new Error('The sample report has no cause.');
    const causes = [{ ...cause, kind: 'warning', status: 'warn', checks: warned } as const];
    expect(lines({ ...FULL_REPORT, causes }, 200).join('\n')).toContain(
      '! 8 warnings: a, b, c, d, e, f and 2 more. See all with --verbose, or one with --only ID --verbose.',
    );
  });

  it('says that a verdict is of what was selected', () => {
    const verdict = { ...GREEN_REPORT.verdict, selectedOnly: true };
    expect(lines({ ...GREEN_REPORT, verdict })[0]).toBe('Conforms, of what you selected.');
  });

  it.each([80, 120])(
    'fits on a screen of 40 lines, however much is wrong, at %i columns',
    (width) => {
      const [attack] = scenarioOf('id-jag').checks;
      const many = FULL_REPORT.scenarios.map((scenario) => ({
        ...scenario,
        checks: scenario.checks.flatMap((check) =>
          Array.from({ length: 30 }, (_, n) => ({
            ...check,
            id: `${check.id}-${n}`,
            title: `${check.title} (${n})`,
            ...(check.id === attack?.id && {
              attack: { gain: 'lure' as const, can: `Does ${n}.` },
            }),
            ...(check.reason !== undefined && { reason: `${check.reason} (${n})` }),
          })),
        ),
      }));
      const shown = lines(reportOf(many), width);
      expect(shown.length).toBeLessThanOrEqual(40);
      expect(shown.length).toBeGreaterThan(24);
      expect(shown.filter((line) => /^ {2}and \d+ more: --verbose$/.test(line))).toHaveLength(4);
    },
  );

  it('keeps to the width, but for words that are longer and lines to be copied', () => {
    const wide = lines(FULL_REPORT, 60).filter(
      (line) => line.length > 60 && !/\S{46}|^ {4}again /.test(line),
    );
    expect(wide).toEqual([]);
  });

  it('concludes that a report without failures conforms', () => {
    expect(lines(GREEN_REPORT)[0]).toBe('Conforms.');
    expect(render('terminal', GREEN_REPORT)).toMatch(/^Conforms\.\n(?:.*\n)*1 passed/);
  });

  it('says under a good verdict what an option would have had judged', () => {
    const needs = '--write-request';
    const reason = 'No write was taken.';
    const attack = { gain: 'account', can: 'Writes without any token.' } as const;
    const checks = [
      check('read.works', 'pass'),
      check('write.body', 'skip', { level: 'should', needs, reason }),
      check('write.guarded', 'skip', { section: 'attacks', attack, needs, reason }),
    ];
    const report = reportOf([{ id: 'a', title: 'A', duration: 1, checks, exchanges: [] }]);
    const line = 'Not judged for want of --write-request: write.guarded holds.';
    expect(lines(report).slice(0, 2)).toEqual(['Conforms.', line]);
    expect(render('html', report)).toContain(`<p>${line}</p>`);
    const failing = reportOf([
      {
        id: 'a',
        title: 'A',
        duration: 1,
        checks: [...checks, check('a.b', 'fail')],
        exchanges: [],
      },
    ]);
    expect(lines(failing).join()).not.toContain(line);
  });

  it('shows every check and every exchange of a finding when it is asked for', () => {
    const text = REPORTERS.terminal.render(FULL_REPORT, { ...PLAIN, verbose: true });
    expect(text).toContain('A request without a token is answered 401.');
    expect(text).toContain('A revocation event is answered 202.');
    expect(text).toContain('x-powered-by: a framework');
    expect(text.match(/untested {2}The page after/g)).toHaveLength(1);
  });
});

describe('a cause', () => {
  it.each(['terminal', 'json', 'markdown', 'html'] as const)(
    'has in %s what was seen, its token, and the line that repeats it',
    (name) => {
      const text = REPORTERS[name].render(FULL_REPORT, { ...PLAIN, verbose: true });
      expect(text).toMatch(/conformance service .{1,60}--only .{1,60}--seed \d+/);
      expect(text).toContain('oauth-id-jag+jwt');
      expect(text).toContain('‹7a7b7c7d›');
    },
  );

  it.each(['terminal', 'json', 'markdown', 'html', 'junit'] as const)(
    'has in %s what its baseline says',
    (name) => expect(render(name)).toContain('The next release mends it.'),
  );
});

describe('JSON', () => {
  it('is the report', () => {
    // The target wrote half of a character, which is none.
    const whole = JSON.parse(JSON.stringify(FULL_REPORT).replaceAll('\\ud800', '\\ufffd'));
    expect(JSON.parse(render('json'))).toEqual(whole);
    checkPublished(JSON.stringify(whole));
  });

  it('is Unicode, where a peer or the suite wrote half of a character', () => {
    const odd = { seen: 'a\ud800b', 'c\udc00': '\\ud800 \u{1f600}' };
    const text = renderJsonValue(odd);
    expect(JSON.parse(text)).toEqual({ seen: 'a\ufffdb', 'c\ufffd': '\\ud800 \u{1f600}' });
  });

  it('fits its schema for a real run', async () => {
    const scenarios = await judgeMock([], ['anonymous']);
    const report = reportOf(scenarios);
    expect(scenarios.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(0);
    expect(JSON.parse(render('json', report))).toEqual(report);
    checkPublished(JSON.stringify(report));
  });
});

describe('JUnit', () => {
  it('is well-formed, whatever the judged peer wrote', () => {
    expect(readJunit(render('junit')).name).toBe('testsuites');
    const [failure] = elementsOf(readJunit(render('junit', hostileEverywhere())), 'failure');
    expect(failure?.text).toContain('| & &lt; &#27; ]]>');
    expect(failure && attributeOf(failure, 'message')).toContain('| & &lt; &#27; ]]>');
  });

  it('counts as the summary does, in all and in each suite', () => {
    const suites = readJunit(render('junit'));
    const all = [suites, ...elementsOf(suites, 'testsuite')];
    expect(all).toHaveLength(1 + FULL_REPORT.scenarios.length);
    for (const suite of all) {
      const counts = ['tests', 'failures', 'errors', 'skipped'].map((n) => attributeOf(suite, n));
      const found = ['testcase', 'failure', 'error', 'skipped'].map((n) =>
        String(elementsOf(suite, n).length),
      );
      expect(counts).toEqual(found);
    }
    // A failure that the baseline lists fails no job.
    expect(elementsOf(suites, 'skipped')).toHaveLength(FULL_REPORT.summary.checks.skip + 1);
    expect(elementsOf(suites, 'failure')).toHaveLength(FULL_REPORT.summary.checks.fail - 1);
  });

  it('shows the exchanges of a failure', () => {
    const outputs = elementsOf(readJunit(render('junit')), 'system-out').map(({ text }) => text);
    expect(outputs.filter((text) => text.includes('GET https://service.example/api'))).toHaveLength(
      1,
    );
  });
});

describe('Markdown', () => {
  const fence = /^(`{3,})(?:http|sh)\n[\s\S]*?^\1$/gm;
  const span = /(?<![\\`])(`+) .*? \1(?!`)/g;

  it('lets no tag, no markup and no link in by what a peer wrote', () => {
    const text = render('markdown', hostileEverywhere());
    expect(text.match(fence)?.length).toBeGreaterThan(2);
    const rest = text.replace(fence, '').replace(span, '');
    const tags = new Set(rest.match(/<[^>]*>/g));
    expect(tags).toEqual(
      new Set(['<details>', '</details>', '<summary>', '</summary>', '<code>', '</code>']),
    );
    expect(rest).not.toMatch(/(?<!\\)`/);
    const links = /\]\((https:[\w#./-]+)\)/g;
    expect(rest.replace(links, (link, url: string) => (isKnown(url) ? '' : link))).not.toMatch(
      /:\/\//,
    );
  });

  it('stays short enough to be shown', () => {
    const scenario = scenarioOf('discovery');
    const exchanges = scenario.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: 'x'.repeat(4000) },
    }));
    const large = { ...scenario, exchanges };
    const text = render('markdown', { ...FULL_REPORT, scenarios: Array(300).fill(large) });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toContain('2 more exchanges: too long for a summary.');
  });
});

describe('HTML', () => {
  it('needs nothing else and runs its own script alone, whatever the judged peer wrote', () => {
    for (const report of [FULL_REPORT, hostileEverywhere()]) {
      const root = parseHtml(render('html', report));
      expect(root.querySelectorAll('link, img, iframe, object, [src]')).toEqual([]);
      expect(root.querySelectorAll('[onclick], [onload], [onerror]')).toEqual([]);
      const scripts = root.querySelectorAll('script').map((script) => script.textContent);
      expect(scripts).toEqual([SCRIPT]);
      const policy = root.querySelector('meta[http-equiv]')?.getAttribute('content') ?? '';
      const hash = createHash('sha256').update(SCRIPT).digest('base64');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`script-src 'sha256-${hash}';`);
      const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '');
      const foreign = targets.filter((href) => !href.startsWith('#') && !isKnown(href));
      expect(foreign).toEqual([]);
    }
  });

  it('leads from each cause, arrow and finding to what is on the page', () => {
    const root = parseHtml(render('html'));
    const ids = root.querySelectorAll('[id]').map(({ id }) => `#${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '');
    const inside = targets.filter((href) => href.startsWith('#'));
    expect(inside.length).toBeGreaterThan(20);
    expect(inside.filter((href) => !ids.includes(href))).toEqual([]);
    expect(
      inside.filter((href) => /^#(discovery|claim|id-jag)-\d$/.test(href)).length,
    ).toBeGreaterThan(8);
  });

  it('leaves out the exchanges of a scenario in which all is well', () => {
    const passed = reportOf([
      {
        ...scenarioOf('discovery'),
        checks: scenarioOf('discovery').checks.filter(({ status }) => status === 'pass'),
      },
    ]);
    expect(render('html', passed)).not.toContain('x-powered-by');
    expect(render('html')).toContain('x-powered-by');
  });
});

describe('an exchange', () => {
  it('shows its answer however long its request was', () => {
    const scenarios = FULL_REPORT.scenarios.map((scenario) => ({
      ...scenario,
      exchanges: scenario.exchanges.map((exchange) => ({
        ...exchange,
        request: { ...exchange.request, body: 'x'.repeat(4096) },
      })),
    }));
    const long = { ...FULL_REPORT, scenarios };
    for (const name of ['junit', 'markdown', 'html'] as const) {
      expect(render(name, long)).toContain('x-powered-by: a framework');
    }
  });
});
