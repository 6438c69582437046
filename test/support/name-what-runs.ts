import type { Reporter, TestCase, TestModule, Vite } from 'vitest/node';

/** Nothing has ended for so long that something hangs. Milliseconds. */
const SILENCE = 60_000;

/**
 * A vitest reporter that names what has begun and not ended, after each minute in which no test has ended. A run
 * that is cut by a time limit then shows where it hung.
 */
export class NameWhatRuns implements Reporter {
  readonly #running = new Map<string, string | undefined>();
  readonly #silence: number;
  readonly #write: (text: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    silence = SILENCE,
    write = (text: string) => {
      process.stderr.write(text);
    },
  ) {
    this.#silence = silence;
    this.#write = write;
  }

  onTestModuleStart({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#running.set(moduleId, undefined);
    this.#wait();
  }

  onTestCaseReady({ module, fullName }: Pick<TestCase, 'fullName' | 'module'>): void {
    this.#running.set(module.moduleId, fullName);
  }

  onTestCaseResult({ module }: Pick<TestCase, 'module'>): void {
    if (this.#running.has(module.moduleId)) this.#running.set(module.moduleId, undefined);
    this.#wait();
  }

  onTestModuleEnd({ moduleId }: Pick<TestModule, 'moduleId'>): void {
    this.#running.delete(moduleId);
    this.#wait();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #wait(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#name(), this.#silence);
    this.#timer.unref();
  }

  #name(): void {
    const running = [...this.#running].map(
      ([file, test]) => `  ${file}${test ? ` > ${test}` : ''}`,
    );
    const what = running.length > 0 ? running.join('\n') : '  no file: vitest itself';
    this.#write(`No test has ended for ${this.#silence / 1000} s. What runs:\n${what}\n`);
  }
}

/** Adds the reporter to those of the command line. */
export function nameWhatRuns(): Vite.Plugin {
  return {
    name: 'name-what-runs',
    configureVitest: ({ vitest }) => {
      const { reporters } = vitest.config;
      if (!reporters.some((each) => each instanceof NameWhatRuns))
        reporters.push(new NameWhatRuns());
    },
  };
}
