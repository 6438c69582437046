import { Interrupted } from './interrupted.ts';
import type { Streams } from './streams.ts';

/** One line of a list to choose from. */
export interface Choice {
  readonly value: string;
  /** What is shown. The caller has made a server's text in it safe. */
  readonly name: string;
}

/** Questions to the user at the terminal. Ask only if `canAsk`. */
export interface Ask {
  confirm(question: string, preset: boolean): Promise<boolean>;
  /** `problem` returns what is wrong with an answer, `undefined` when it is valid. */
  text(
    question: string,
    problem: (answer: string) => string | undefined,
    /** Takes the question away; its reason is what the promise rejects with. */
    signal?: AbortSignal,
  ): Promise<string>;
  /** @returns the value of the line that was chosen. */
  select(question: string, choices: readonly Choice[]): Promise<string>;
}

/** Inquirer on stderr: its own default, stdout, belongs to results. */
export function createAsk(streams: Streams): Ask {
  const prompt = async (signal?: AbortSignal) => {
    const { default: inquirer } = await import('inquirer');
    return inquirer.createPromptModule({
      input: streams.stdin.node,
      output: streams.stderr.node,
      ...(signal && { signal }),
    });
  };
  return {
    confirm: async (message, preset) => {
      const answers = await interruptible(
        (await prompt())([{ type: 'confirm', name: 'answer', message, default: preset }]),
      );
      return answers.answer;
    },
    text: async (message, problem, signal) => {
      const answers = await interruptible(
        (await prompt(signal))([
          {
            type: 'input',
            name: 'answer',
            message,
            validate: (answer: string) => problem(answer) ?? true,
          },
        ]),
        signal,
      );
      return answers.answer;
    },
    select: async (message, choices) => {
      const answers = await interruptible(
        (await prompt())([{ type: 'select', name: 'answer', message, choices: [...choices] }]),
      );
      return answers.answer;
    },
  };
}

/** Ctrl-C and the end of stdin leave a prompt with `ExitPromptError`. */
async function interruptible<T>(answers: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await answers;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Interrupted();
    throw error;
  }
}
