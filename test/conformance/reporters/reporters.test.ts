import { parse as parseHtml } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { summarize } from '../../../src/conformance/engine/summary.ts';
import type { Report, ScenarioResult } from '../../../src/conformance/index.ts';
import { REPORTERS } from '../../../src/conformance/reporters/index.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { attributeOf, elementsOf, readJunit } from '../support/read-junit.ts';
import { REPORT } from '../support/report-schema.ts';
import { GREEN_REPORT, HOSTILE, SAMPLE_REPORT } from '../support/sample-report.ts';

const PLAIN = { color: false, width: 100 };
const names = Object.keys(REPORTERS) as (keyof typeof REPORTERS)[];
const render = (name: keyof typeof REPORTERS, report = SAMPLE_REPORT) =>
  REPORTERS[name].render(report, PLAIN);

function scenarioOf(id: string): ScenarioResult {
  const found = SAMPLE_REPORT.scenarios.find((scenario) => scenario.id === id);
  if (found === undefined) throw new Error(`The sample has no scenario ${id}.`);
  return found;
}

/** Whatever a judged peer can have a say in is hostile. */
function hostileEverywhere(): Report {
  const scenarios = SAMPLE_REPORT.scenarios.map(
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
  return { ...SAMPLE_REPORT, target: HOSTILE, scenarios };
}

describe('each report', () => {
  it.each(names.filter((name) => name !== 'json'))('%s is as it was agreed', async (name) => {
    await expect(render(name)).toMatchFileSnapshot(`golden/${name}.${REPORTERS[name].extension}`);
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

describe('a finding that expects no more than its check', () => {
  const sentence = 'A refusal says in words what is wrong.';
  const count = (text: string) => text.split(sentence).length - 1;

  /** JSON and SARIF have a member for each; a badge has neither. */
  const forPeople = ['terminal', 'junit', 'tap', 'markdown', 'html'] as const;

  it.each(forPeople)('has its sentence once in %s', (name) => {
    expect(count(render(name))).toBe(1);
    const failing = SAMPLE_REPORT.scenarios.map((scenario) => ({
      ...scenario,
      checks: scenario.checks.map((check) => ({ ...check, status: 'fail' as const })),
    }));
    expect(count(render(name, { ...SAMPLE_REPORT, scenarios: failing }))).toBe(1);
  });

  it('has it in JSON as title and as expected', () => {
    expect(count(render('json'))).toBe(2);
  });
});

describe('the terminal', () => {
  it('colours only when it is asked to', () => {
    expect(REPORTERS.terminal.render(SAMPLE_REPORT, { color: true, width: 80 })).toContain(
      '\u001b[31m',
    );
    expect(render('terminal')).not.toContain('\u001b');
  });

  it('names what is missing or broken before what only warns, and that before what passes', () => {
    const headings = render('terminal').match(/^[✗?!✓–] .*(?= {2}\d)/gm);
    expect(headings).toEqual([
      '✗ An agent finds its way in from a 401',
      '? Its user claims a registration',
      '! Refusals have the shape of the wire contract',
      '✓ Keys are published',
    ]);
  });

  it('gives a reason once for several checks that could not be tested', () => {
    expect(render('terminal').match(/untested {2}The page after/g)).toHaveLength(1);
  });

  it('quotes for a failure what was sent and what the answer describes itself as', () => {
    const claim = scenarioOf('claim');
    const checks = claim.checks.slice(0, 1).map((check) => ({
      ...check,
      status: 'fail' as const,
      findings: [{ expected: 'a link', seen: 'none', exchange: 1 }],
    }));
    const text = render('terminal', { ...SAMPLE_REPORT, scenarios: [{ ...claim, checks }] });
    expect(text).toMatch(
      /sent {6}content-type: application\/json ·\s+\{"claim_token":"‹1f2e3d4c›"/,
    );
    expect(text).toMatch(/answer {4}content-type: application\/json ·\s+\{"user_code"/);
  });

  it('keeps to the width, but for words that are longer', () => {
    const lines = REPORTERS.terminal.render(SAMPLE_REPORT, { color: false, width: 60 }).split('\n');
    const findings = lines.filter((line) => /^ {4}(expected|seen|in|sent|answer) /.test(line));
    expect(findings.length).toBeGreaterThan(2);
    expect(findings.filter((line) => line.length > 60 && !/\S{46}/.test(line))).toEqual([]);
  });

  it('concludes that a report without failures conforms', () => {
    expect(render('terminal', GREEN_REPORT)).toContain('Conforms. 1 passed');
  });

  it('shows every check and every exchange of a finding when it is asked for', () => {
    const text = REPORTERS.terminal.render(SAMPLE_REPORT, { ...PLAIN, verbose: true });
    expect(text).toContain('A request without a token is answered 401.');
    expect(text).toContain('A revocation event is answered 202.');
    expect(text).toContain('x-powered-by: a framework');
  });
});

describe('JSON', () => {
  it('is the report', () => {
    expect(JSON.parse(render('json'))).toEqual(SAMPLE_REPORT);
    expect(REPORT.parse(JSON.parse(render('json')))).toEqual(SAMPLE_REPORT);
  });

  it('fits its schema for a real run', async () => {
    const scenarios = await judgeMock([], ['anonymous']);
    const report = { ...SAMPLE_REPORT, scenarios, summary: summarize(scenarios) };
    expect(scenarios.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(0);
    expect(REPORT.parse(JSON.parse(render('json', report)))).toEqual(report);
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
    expect(all).toHaveLength(1 + SAMPLE_REPORT.scenarios.length);
    for (const suite of all) {
      const counts = ['tests', 'failures', 'errors', 'skipped'].map((n) => attributeOf(suite, n));
      const found = ['testcase', 'failure', 'error', 'skipped'].map((n) =>
        String(elementsOf(suite, n).length),
      );
      expect(counts).toEqual(found);
    }
    expect(elementsOf(suites, 'skipped')).toHaveLength(SAMPLE_REPORT.summary.checks.skip);
  });

  it('shows the exchanges of a failure', () => {
    const outputs = elementsOf(readJunit(render('junit')), 'system-out').map(({ text }) => text);
    expect(outputs.filter((text) => text.includes('GET https://service.example/api'))).toHaveLength(
      1,
    );
  });
});

describe('TAP', () => {
  it('has a point for each check, and diagnostics that are YAML', () => {
    const text = render('tap');
    expect(text.match(/^(not )?ok \d+/gm)).toHaveLength(10);
    expect(text.match(/^not ok/gm)).toHaveLength(3);
    expect(text.match(/^ok .* # SKIP /gm)).toHaveLength(2);
    const blocks = [...text.matchAll(/^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/gm)].map(([, yaml = '']) =>
      parseYaml(yaml),
    );
    expect(blocks.map(({ status }) => status).sort()).toEqual([
      'fail',
      'untestable',
      'untestable',
      'warn',
      'warn',
    ]);
  });

  it('lets no directive in by what a peer wrote', () => {
    const directives = render('tap', hostileEverywhere()).match(/^(not )?ok .*[^\\]# /gm) ?? [];
    expect(directives).toHaveLength(2);
    expect(directives.every((line) => line.startsWith('ok '))).toBe(true);
  });
});

describe('Markdown', () => {
  const fence = /^(`{3,})http\n[\s\S]*?^\1$/gm;
  const span = /(?<![\\`])(`+) .*? \1(?!`)/g;

  it('lets no tag, no markup and no link in by what a peer wrote', () => {
    const text = render('markdown', hostileEverywhere());
    expect(text.match(fence)?.length).toBeGreaterThan(2);
    const rest = text.replace(fence, '').replace(span, '');
    const tags = new Set(rest.match(/<[^>]*>/g));
    expect(tags).toEqual(
      new Set(['<details>', '</details>', '<summary>', '</summary>', '<code>', '</code>', '<br>']),
    );
    expect(rest).not.toMatch(/(?<!\\)`/);
    expect(rest).not.toMatch(/:\/\//);
  });

  it('stays short enough to be shown', () => {
    const scenario = scenarioOf('discovery');
    const exchanges = scenario.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: 'x'.repeat(4000) },
    }));
    const large = { ...scenario, exchanges };
    const text = render('markdown', { ...SAMPLE_REPORT, scenarios: Array(300).fill(large) });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toContain('2 more exchanges: too long for a summary.');
  });
});

describe('HTML', () => {
  it('needs nothing else and runs nothing, whatever the judged peer wrote', () => {
    for (const report of [SAMPLE_REPORT, hostileEverywhere()]) {
      const root = parseHtml(render('html', report));
      expect(root.querySelectorAll('script, link, img, iframe, [src]')).toEqual([]);
      expect(root.querySelectorAll('[onclick], [onload], [onerror]')).toEqual([]);
      const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href'));
      expect(targets.every((href) => href?.startsWith('#'))).toBe(true);
    }
  });

  it('leads from each arrow and each finding to the exchange', () => {
    const root = parseHtml(render('html'));
    const ids = new Set(root.querySelectorAll('[id]').map(({ id }) => `#${id}`));
    const targets = root.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '');
    expect(targets).toHaveLength(6 + 3);
    expect(targets.filter((href) => !ids.has(href))).toEqual([]);
  });
});

describe('an exchange', () => {
  it('shows its answer however long its request was', () => {
    const scenarios = SAMPLE_REPORT.scenarios.map((scenario) => ({
      ...scenario,
      exchanges: scenario.exchanges.map((exchange) => ({
        ...exchange,
        request: { ...exchange.request, body: 'x'.repeat(4096) },
      })),
    }));
    const long = { ...SAMPLE_REPORT, scenarios };
    for (const name of ['junit', 'markdown', 'html'] as const) {
      expect(render(name, long)).toContain('x-powered-by: a framework');
    }
  });
});
