import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'action.yml'), 'utf8');
const action = parse(text) as Action;
const { steps } = action.runs;

/** Names behind `inputs.`, wherever an expression stands. */
function inputsIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(
    ([, name = '']) => name,
  );
}

describe('action.yml', () => {
  it('is a composite action whose commands name their shell', () => {
    expect(action.runs.using).toBe('composite');
    expect(steps.filter(({ run, shell }) => run !== undefined && shell !== 'bash')).toEqual([]);
  });

  it('uses each input, and none that it does not have', () => {
    expect([...new Set(inputsIn(steps))].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('uses no other action, and no package by its name', () => {
    expect(steps.filter(({ uses }) => uses !== undefined)).toEqual([]);
    expect(text).not.toMatch(/npx|npm (?:i|install|exec)\b|agent-auth@/);
  });

  it('puts no expression into a script, where it could become a command', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('reads each variable that it sets, and sets each that it reads', () => {
    for (const { env = {}, run } of steps.filter((step) => step.run !== undefined)) {
      const read = [...(run ?? '').matchAll(/\$\{?(INPUT_\w+)/g)].map(([, name = '']) => name);
      expect([...new Set(read)].sort()).toEqual(Object.keys(env).sort());
    }
  });

  it('took a path from an output, which whoever is judged could have set', () => {
    const values = steps.flatMap(({ env = {} }) => Object.values(env));
    expect(values.filter((value) => value.includes('steps.'))).toEqual([]);
  });

  it('has outputs that a step of it writes', () => {
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const [, id, output] = /^\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      expect(output).toBe(name);
      const script = steps.find((step) => step.id === id)?.run ?? '';
      expect(script.includes(`${name}=`)).toBe(true);
    }
  });
});

describe('the example workflow', () => {
  const example = readFileSync(join(root, 'docs/examples/conformance.yml'), 'utf8');
  const jobs = (parse(example) as { jobs: Record<string, { steps: readonly Step[] }> }).jobs;
  const judging = Object.values(jobs)
    .flatMap((job) => job.steps)
    .filter(({ uses }) => uses?.includes('/agent-auth@'));

  it('gives the action inputs that it has', () => {
    expect(judging).toHaveLength(1);
    const given = judging.flatMap((step) => Object.keys(step.with ?? {}));
    expect(given.filter((name) => !(name in action.inputs))).toEqual([]);
  });

  it('reads outputs that it has', () => {
    const read = [...example.matchAll(/steps\.conformance\.outputs\.([\w-]+)/g)];
    expect(read.length).toBeGreaterThan(0);
    expect(read.map(([, name = '']) => name).filter((name) => !(name in action.outputs))).toEqual(
      [],
    );
  });

  it('is the one that the docs have the reader copy', () => {
    const page = readFileSync(join(root, 'docs/test-in-ci.md'), 'utf8');
    expect(page).toContain('docs/examples/conformance.yml .github/workflows/');
  });
});

// COMMIT stands for one that the reader chooses: as it is, it names none.
it.each([
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
  'action.yml',
  'docs/examples/conformance.yml',
  'docs/examples/mock.yml',
  'docs/examples/service-container.yml',
  'docs/test-in-ci.md',
])('%s names other actions by their commit', (path) => {
  const used = [...readFileSync(join(root, path), 'utf8').matchAll(/\buses: *(\S+)/g)];
  const loose = used
    .map(([, action = '']) => action)
    .filter((action) => !/@(?:[0-9a-f]{40}|COMMIT)$/.test(action));
  expect(loose).toEqual([]);
});
